import type { Switches } from "../../src/emulator";
import type { Transport, WireAnswer } from "../../src/provider/client/transport";
import { catalog } from "../../src/provider/definitions";
import { isObject, type JsonObject } from "../../src/provider/schema/json";
import { type Desk, deskOf } from "../emulator/desk";
import { type Resource, type Subject, startSubject } from "../laws/subject";
import { partialOf } from "../support/driver";
import { Dice } from "../world/dice";

const personKey = ["person", "test"].join("-");

/** What users get of the gate. */
interface Flag {
  readonly share: number;
  readonly isEnabled: boolean;
}

/** One history of a program, its people and its console. `findings`: what is not right; empty where all is. */
export type History = Awaited<ReturnType<typeof playHistory>>;

const gateOf = ({ share, isEnabled }: Flag): JsonObject => ({
  key: "checkout",
  reviewSettings: { requiredReview: true },
  isEnabled,
  rules: [{ name: "Everyone", passPercentage: share, conditions: [{ type: "public" }] }],
});

const flagOf = ({ rules, isEnabled }: JsonObject): Flag => ({
  share: Number((rules as JsonObject[] | undefined)?.[0]?.passPercentage),
  isEnabled: isEnabled === true,
});

const text = ({ share, isEnabled }: Flag) => `${share} % ${isEnabled ? "on" : "off"}`;
const isOpen = ({ status }: JsonObject) => status !== "committed" && status !== "rejected";

/** The content of each review, as it went over the wire, and a process that can be killed. */
class Wire {
  readonly changes = new Map<string, JsonObject>();
  readonly commits: string[] = [];
  /** Requests until the process is killed. */
  left = Number.POSITIVE_INFINITY;

  through = (transport: Transport): Transport => ({
    send: async (request) => {
      if (this.left <= 0) throw new Error("killed");
      this.left -= 1;
      const answer = await transport.send(request);
      this.#note(request.method, new URL(request.url).pathname, request.body, answer);
      // Killed after the console has done it, before the answer came.
      if (this.left <= 0) throw new Error("killed");
      return answer;
    },
  });

  #note(method: string, path: string, body: string | undefined, answer: WireAnswer): void {
    const [, , review, verb] = /\/gates\/[^/]+\/(reviews)\/?([^/]*)\/?(.*)/.exec(path) ?? [];
    if (!path.includes("/reviews") || answer.status >= 300) return;
    if (verb === "commit") this.commits.push(String(review));
    const change = body === undefined ? undefined : (JSON.parse(body) as JsonObject).change;
    if (!isObject(change)) return;
    const { data } = JSON.parse(answer.text) as { data?: { review_id?: string } };
    if (method === "POST" || method === "PUT") this.changes.set(String(data?.review_id ?? review), change);
  }
}

/** Plays one history of so many steps. `planted`: a fault between the provider and the console, which is to be found. */
export async function playHistory(
  seed: number,
  length: number,
  planted: (transport: Transport) => Transport = (transport) => transport,
) {
  const dice = new Dice(seed);
  const behaviour = {
    requiredReviews: dice.one(["apply", "asked", "refuse", "forbid", "hold"] as const),
    openReviews: dice.one(["several", "one"] as const),
  };
  const wire = new Wire();
  const subject = await startSubject(catalog.gate, {
    behaviour,
    people: { [personKey]: "ada@example.com" },
    config: { "feature-console:reviews": "open" },
    through: (transport) => wire.through(planted(transport)),
  });
  const play = new Play(subject, wire);
  const { steps, findings } = play;
  try {
    await play.begin();
    for (let step = 0; step < length && findings.length === 0; step += 1) await play.step(dice, behaviour);
    if (findings.length === 0) await play.settle();
  } catch (error) {
    findings.push(`it broke: ${String(error)}`);
  } finally {
    await subject.close();
  }
  return { seed, console: behaviour, steps, findings };
}

const acts = [
  ...(["program", "program", "up", "up", "killed up"] as const),
  ...(["accept", "accept", "reject", "commit", "hand", "refresh"] as const),
];

class Play {
  readonly steps: string[] = [];
  readonly findings: string[] = [];
  readonly #subject: Subject;
  readonly #wire: Wire;
  readonly #person: Desk;
  #program: Flag = { share: 10, isEnabled: true };
  #expected: Flag = this.#program;
  #committed = new Set<string>();
  #resource: Resource | undefined;

  constructor(subject: Subject, wire: Wire) {
    this.#subject = subject;
    this.#wire = wire;
    this.#person = deskOf(subject.emulator, { "SERVICE-API-KEY": personKey });
  }

  async begin(): Promise<void> {
    this.#resource = await this.#subject.up(gateOf(this.#program));
    await this.#look("the first up", true);
  }

  async step(dice: Dice, { requiredReviews }: Pick<Switches, "requiredReviews">): Promise<void> {
    const act = dice.one(acts);
    if (act === "program") {
      this.#program = { share: dice.one([10, 20, 50, 80]), isEnabled: dice.roll() < 0.7 };
      this.steps.push(`the program says ${text(this.#program)}`);
    } else if (act === "up") await this.#up();
    else if (act === "killed up") {
      this.#wire.left = dice.below(12);
      await this.#up(true);
      this.#wire.left = Number.POSITIVE_INFINITY;
    } else if (act === "refresh") await this.#refresh();
    else if (act === "hand") {
      // Elsewhere this request is held back, too, and no other way to edit by hand is known.
      if (requiredReviews === "apply") await this.#edit(dice.one([10, 20, 50, 80]));
    } else await this.#decide(act, dice);
  }

  async #reviews(): Promise<readonly JsonObject[]> {
    return [...(await this.#person.list("/gates/checkout/reviews"))].reverse();
  }

  async #up(isKilled = false): Promise<void> {
    const before = this.#resource as Resource;
    this.#subject.nextRun();
    const said = this.#subject.lines.length;
    const what = isKilled ? "a killed up" : "up";
    const program = gateOf(this.#program);
    try {
      const { quiet } = await this.#subject.diff(before, program);
      if (quiet) return;
      const after = await this.#subject.update(before, program);
      if (!isKilled || this.#wire.left > 0) this.#resource = after;
    } catch (error) {
      const partial = partialOf(error);
      const reason = String(partial?.reasons[0] ?? error);
      if (!isKilled && !/was rejected|changed in the console since/.test(reason))
        this.findings.push(`up failed: ${reason}`);
      if (partial !== undefined && !isKilled)
        this.#resource = { ...before, inputs: before.inputs, outputs: partial.properties };
      if (!isKilled && /changed in the console since/.test(reason)) await this.#refresh();
    }
    // What was not seen before stays in the console, is reported, and comes into state with the next refresh.
    const isUnseen = this.#subject.lines
      .slice(said)
      .some((line) => line.includes("since the last refresh: left as it is"));
    await this.#look(what, !isKilled && !isUnseen);
  }

  async #refresh(): Promise<void> {
    this.#subject.nextRun();
    this.#resource = await this.#subject.refresh(this.#resource as Resource);
    await this.#look("refresh", true);
  }

  async #edit(share: number): Promise<void> {
    const { rules } = gateOf({ ...this.#expected, share });
    await this.#person.must("PATCH", "/gates/checkout", { rules });
    this.#expected = { ...this.#expected, share };
    await this.#look(`by hand: ${share} %`, false);
  }

  async #decide(act: "accept" | "reject" | "commit", dice: Dice): Promise<void> {
    const open = (await this.#reviews()).filter(isOpen);
    const review = open.length === 0 ? undefined : dice.one(open);
    if (review === undefined) return;
    const path = `/gates/checkout/reviews/${String(review.review_id)}`;
    if (act === "commit") {
      if (review.status !== "accepted") return;
      // Refused where the rules have been made anew by hand since.
      await this.#person.ask("PUT", `${path}/commit`, {});
    } else
      await this.#person.must("PUT", `${path}/${act === "accept" ? "approve" : "reject"}`, { reason: "Why" });
    await this.#look(`${act} ${String(review.review_id)}`, false);
  }

  /** Holds the console against what was accepted, and state against the console. */
  async #look(what: string, isStateOfNow: boolean): Promise<void> {
    const reviews = await this.#reviews();
    for (const { review_id, status } of reviews) {
      const id = String(review_id);
      if (status !== "committed" || this.#committed.has(id)) continue;
      this.#committed.add(id);
      const change = this.#wire.changes.get(id) ?? {};
      const share = (change.rules as JsonObject[] | undefined)?.[0]?.passPercentage;
      this.#expected = {
        share: share === undefined ? this.#expected.share : Number(share),
        isEnabled: typeof change.is_enabled === "boolean" ? change.is_enabled : this.#expected.isEnabled,
      };
    }
    const live = flagOf(await this.#person.must("GET", "/gates/checkout"));
    const state = flagOf(this.#resource?.outputs ?? {});
    this.steps.push(
      `${what}: ${text(live)}; ${reviews.map((one) => `${one.review_id} ${one.type} ${one.status}`).join(", ")}`,
    );
    if (text(live) !== text(this.#expected))
      this.findings.push(
        `${what}: the console has ${text(live)}, and people accepted ${text(this.#expected)}`,
      );
    if (isStateOfNow && text(state) !== text(live))
      this.findings.push(`${what}: state says ${text(state)}, and the console has ${text(live)}`);
    for (const type of ["rules", "is_enabled"])
      if (reviews.filter((one) => isOpen(one) && one.type === type).length > 1)
        this.findings.push(`${what}: two open reviews of ${type}`);
    const twice = this.#wire.commits.filter((id, at) => this.#wire.commits.indexOf(id) !== at);
    if (twice.length > 0) this.findings.push(`${what}: committed twice: ${twice.join(", ")}`);
  }

  /** Everybody agrees: in the end the console is as the program says, and nothing is open. */
  async settle(): Promise<void> {
    await this.#refresh();
    // What was rejected stays so: the program asks for what it has not asked for yet.
    this.#program = { share: 33, isEnabled: this.#expected.isEnabled };
    for (let round = 0; round < 6; round += 1) {
      const program = gateOf(this.#program);
      if ((await this.#subject.diff(this.#resource as Resource, program)).quiet) break;
      await this.#up();
      for (const { review_id, status } of await this.#reviews()) {
        const isOwn = this.#wire.changes.has(String(review_id));
        if (status === "pending" && isOwn)
          await this.#person.must("PUT", `/gates/checkout/reviews/${String(review_id)}/approve`, {});
      }
    }
    const live = flagOf(await this.#person.must("GET", "/gates/checkout"));
    const program = gateOf(this.#program);
    if (!(await this.#subject.diff(this.#resource as Resource, program)).quiet)
      this.findings.push("it does not settle");
    else if (text(live) !== text(this.#program))
      this.findings.push(`settled at ${text(live)}, and the program says ${text(this.#program)}`);
    const left = (await this.#reviews()).filter(isOpen);
    if (left.length > 0 && this.findings.length === 0)
      this.findings.push(`${left.length} reviews are left open`);
  }
}
