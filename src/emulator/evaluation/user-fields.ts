import { closest } from "../../provider/texts/closest";

/** Fields of a user, each a text. */
export const ownFields: readonly string[] = [
  ...["userID", "email", "ip", "userAgent", "country", "locale", "appVersion"],
];

/** The field that a name means, whatever its case and separators; undefined where it is none of the SDK's. */
export const meantField = (name: string, fields = ownFields): string | undefined =>
  closest(name, fields, () => 0);
