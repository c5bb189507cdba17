/** Differences between consoles. Data only. */
export interface Profile {
  readonly name: ProfileName;
  /** Address without the path prefix; absent: the user gives it. */
  readonly baseUrl?: string;
  readonly keyHeader: string;
  /** Headers sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Prefixes of keys that open something else, with their meaning; empty: a key does not show it. */
  readonly otherKeys: Readonly<Record<string, string>>;
  /** Neutral member name -> this console's name, inside `idTypeMapping`. */
  readonly unitIdMember: string;
}

export type ProfileName = "embedded" | "statsig" | "custom";

/** Path prefix of every operation. */
export const pathPrefix = "/console/v1";

/** Name of the unit-id member in the definitions; a profile may call it otherwise on the wire. */
export const neutralUnitIdMember = "serviceUnitID";

const neutral = {
  keyHeader: "SERVICE-API-KEY",
  headers: {},
  otherKeys: {},
  unitIdMember: neutralUnitIdMember,
};

/** The profiles. Source: console-api, section 1. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  embedded: { name: "embedded", baseUrl: "http://embedded.invalid", ...neutral },
  custom: { name: "custom", ...neutral },
  statsig: {
    name: "statsig",
    baseUrl: "https://statsigapi.net",
    keyHeader: "STATSIG-API-KEY",
    headers: { "STATSIG-API-VERSION": "20240601" },
    otherKeys: { "secret-": "server", "client-": "client" },
    unitIdMember: "statsigUnitID",
  },
};
