import { catalog } from "../../catalog/index";
import { renamedOnCarriers } from "../carried-names";
import { defineBehaviour } from "../default-operations";

/** How the console treats tags. What a second create does is not published (assumption: refused, as for other names). */
export const tag = defineBehaviour({
  definition: catalog.tag,
  settle: ({ before, after, ports }) => ({ ...after, id: before?.id ?? ports.makeId() }),
  onChange: renamedOnCarriers("tags"),
});
