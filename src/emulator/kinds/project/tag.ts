import { catalog } from "../../../provider/definitions/index";
import { defineBehaviour } from "../../console/default-operations";
import { renamedOnCarriers } from "../../console/rules/carried-names";

/** Behaviour of tags. For a second create nothing is published (assumption: refused, as for other names). */
export const tag = defineBehaviour({
  definition: catalog.tag,
  settle: ({ before, after, ports }) => ({ ...after, id: before?.id ?? ports.makeId() }),
  onChange: renamedOnCarriers("tags"),
});
