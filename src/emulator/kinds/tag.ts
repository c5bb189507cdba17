import { catalog } from "../../catalog/index";
import type { Behaviour } from "../behaviour";
import { renamedOnCarriers } from "../carried-names";
import { byNameOrId } from "../named-paths";
import { create, get, list, patch, remove } from "../verbs";

/** How the console treats tags. What a second create does is not published (assumption: refused, as for other names). */
export const tag: Behaviour = {
  definition: catalog.tag,
  texts: { missing: "Tag not found.", taken: "Name is already in use" },
  operations: {
    list: list(),
    create,
    get: byNameOrId(get),
    patch: byNameOrId(patch),
    delete: byNameOrId(remove),
  },
  settle: ({ before, after, ports }) => ({ ...after, id: before?.id ?? ports.makeId() }),
  onChange: renamedOnCarriers("tags"),
};
