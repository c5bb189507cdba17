import { type ResourceDefinition, routeOf, wireName } from "../../schema/define";
import { ConsoleError, isConsoleError } from "../../schema/errors";
import { reviewsMember } from "../../schema/internal";
import { equalJson, isObject, type JsonObject, picked, textOf } from "../../schema/json";
import type { Reviews } from "../../schema/reviews";
import { fromWire, toWire } from "../../schema/wire-names";
import { quote } from "../../texts/issue-text";
import { reviewersOption } from "../../values/options";
import { type EngineContext, nameOf, stackOf } from "../context";
import { lookUpList } from "../look-up";
import { changeDigest, describedReview, isAccepted, isClosed, markIn, type OwnReview } from "./marks";
import { isForReview, reviewMode } from "./mode";
import { requirementOf } from "./requirement";

/** What reviews need to know of an object in the middle of a write. */
interface Subject {
  readonly context: EngineContext;
  readonly definition: ResourceDefinition;
  readonly id: string;
  readonly program: JsonObject;
  readonly live: JsonObject;
}

/** A change that is to pass a review. */
interface ReviewedChange {
  readonly slot: string;
  readonly change: JsonObject;
  /** Fields that it changes. */
  readonly names: readonly string[];
}

/** Ends a pass over the changes of an object: those that follow a request that has to pass a review wait with it. */
export class ReviewRequired extends Error {}

/** The reviews of an object that a state notes. */
export function reviewsIn(state: JsonObject): readonly OwnReview[] {
  const reviews = state[reviewsMember];
  return Array.isArray(reviews) ? (reviews as OwnReview[]) : [];
}

/**
 * The changes of one object that pass reviews. Requests are collected first (`divert`); `settle` then opens a review for
 * each, commits what was accepted, and takes back what the program no longer asks for.
 */
export class ObjectReviews {
  readonly #subject: Subject;
  readonly #reviews: Reviews;
  readonly #stack: string;
  readonly #before: readonly OwnReview[];
  readonly #isRehearsal: boolean;
  #collected: ReviewedChange[] = [];
  #own: OwnReview[] | undefined;
  #left: OwnReview[] = [];
  /** The console has refused a change for want of a review that no setting demands. */
  #isDemanded = false;
  /** Digests of the changes that are committed. */
  readonly #committed = new Set<string>();
  /** Fields whose changes wait for people. */
  readonly waiting = new Set<string>();

  /** Undefined where no write of the object has to do with reviews. */
  static of(subject: Subject, state: JsonObject): ObjectReviews | undefined {
    const { context, definition, program } = subject;
    const { reviews } = definition.lifecycle;
    const before = reviewsIn(state);
    if (reviews === undefined || (reviewMode(context, program) !== "open" && before.length === 0))
      return undefined;
    return new ObjectReviews(subject, reviews, before, stackOf(context, state) ?? "");
  }

  /** The same for a preview: every request is kept, and none is sent. */
  static rehearsing(subject: Subject, reviews: Reviews): ObjectReviews {
    return new ObjectReviews(subject, reviews, [], "", true);
  }

  private constructor(
    subject: Subject,
    reviews: Reviews,
    before: readonly OwnReview[],
    stack: string,
    isRehearsal = false,
  ) {
    this.#isRehearsal = isRehearsal;
    this.#subject = subject;
    this.#reviews = reviews;
    this.#before = before;
    this.#stack = stack;
  }

  /** True where changes open reviews. */
  get isOpening(): boolean {
    return reviewMode(this.#subject.context, this.#subject.program) === "open";
  }

  /** The slots of the changes that were kept. */
  get slots(): readonly string[] {
    return this.#collected.map(({ slot }) => slot);
  }

  /** Reviews that go into state. */
  get entries(): readonly OwnReview[] {
    return this.#left;
  }

  /**
   * Keeps the parts of a request that need a review. @returns the body that is left to send; undefined where none is.
   * @throws ReviewRequired for a request that needs a review as a whole. @throws ConsoleError "refused" for one that the API has no review for.
   */
  async divert(routeName: string, body: unknown): Promise<{ readonly body: unknown } | undefined> {
    if (!this.isOpening) return { body };
    const left = await (routeName === "patch" && isObject(body)
      ? this.#divertMembers(body)
      : this.#divertRequest(routeName, body));
    return this.#isRehearsal ? undefined : left;
  }

  async #divertMembers(body: JsonObject): Promise<{ readonly body: unknown } | undefined> {
    const { definition } = this.#subject;
    const { members, free, barred = [] } = this.#reviews;
    if (this.#isFree()) return { body };
    const changed = Object.keys(body).filter((member) => !this.#isUnchanged(member, body[member]));
    const changes = members.flatMap((part): ReviewedChange[] => {
      const taken = Object.entries(part).flatMap(([member, { as, of = (one: unknown) => one }]) => {
        const value = changed.includes(member) ? of(body[member]) : undefined;
        return value === undefined ? [] : [{ member, as, value }];
      });
      const change = Object.fromEntries(taken.map(({ as, value }) => [as, value]));
      const names = taken.flatMap(({ member }) => this.#namesOf(member));
      const [slot] = Object.values(part).map(({ as }) => as);
      return slot === undefined || taken.length === 0 ? [] : [{ slot, change, names }];
    });
    const refused = changed.filter(
      (member) => barred.includes(member) || (free !== undefined && !free.includes(member)),
    );
    const names = changes.flatMap((change) => change.names);
    if (names.length + refused.length === 0) return { body };
    const isRulesAlone = names.every((name) => name === "rules") && refused.length === 0;
    const rules = isRulesAlone ? fromWire(definition, body).rules : undefined;
    if (!(await this.#needsReview(rules))) return { body };
    if (refused.length > 0)
      throw this.#noReviewFor(refused.flatMap((member) => this.#namesOf(member)).join(", "));
    this.#collected.push(...(await Promise.all(changes.map((change) => this.#withIds(change)))));
    const left = Object.keys(body).filter((member) => {
      const [name = member] = this.#namesOf(member);
      const leader = definition.fields[name]?.traits.goesWith;
      return !names.includes(name) && !(leader !== undefined && names.includes(leader));
    });
    return left.some((member) => changed.includes(member)) ? { body: picked(body, left) } : undefined;
  }

  /** A change that says ids where the body has names. What is no name of an app goes on as it is. */
  async #withIds(reviewed: ReviewedChange): Promise<ReviewedChange> {
    const { context } = this.#subject;
    const kinds = this.#reviews.members.flatMap((part) => Object.values(part));
    const idsOf = kinds.find(({ as }) => as === reviewed.slot)?.idsOf;
    const names = reviewed.change[reviewed.slot];
    if (this.#isRehearsal || idsOf === undefined || !Array.isArray(names) || names.length === 0)
      return reviewed;
    const listed = await lookUpList({ kind: idsOf, routeName: "list" }, undefined, () => context);
    const ids = names.map((name) => listed.find((one) => one.name === name)?.id ?? name);
    return { ...reviewed, change: { ...reviewed.change, [reviewed.slot]: ids } };
  }

  async #divertRequest(routeName: string, body: unknown): Promise<{ readonly body: unknown } | undefined> {
    const request = this.#reviews.requests[routeName];
    if (request === undefined && this.#isFree()) return { body };
    if (!(await this.#needsReview())) return { body };
    if (request === undefined) throw this.#noReviewFor(`the request ${quote(routeName)}`);
    const given = isObject(body) ? body : {};
    const taken = Object.entries(request.takes ?? {}).flatMap(([member, as]) =>
      given[member] === undefined ? [] : [[as, given[member]]],
    );
    const change = { ...request.says, ...Object.fromEntries(taken) };
    const [first = routeName] = Object.keys(request.says);
    const slot = first === "type" ? textOf(request.says.type) : first;
    this.#collected.push({ slot, change, names: Object.keys(this.#subject.definition.fields) });
    throw new ReviewRequired();
  }

  /** True in a state in which fields change without a review. */
  #isFree(): boolean {
    const { freeWhile } = this.#reviews;
    return freeWhile !== undefined && this.#subject.live[freeWhile.field] === freeWhile.is;
  }

  /** Takes note of a refusal for want of a review. Returns true where the change is to be tried again, as a review. */
  isNewDemand(error: unknown): boolean {
    if (!this.isOpening || this.#isDemanded || !isConsoleError(error)) return false;
    if (!isForReview(error, this.#subject)) return false;
    this.#isDemanded = true;
    this.#collected = [];
    return true;
  }

  async #needsReview(rules?: unknown): Promise<boolean> {
    if (this.#isDemanded) return true;
    const { context, definition, live } = this.#subject;
    return (await requirementOf(context, definition, live, rules)) !== "not-required";
  }

  /** What the API requires in each body is no change. */
  #isUnchanged(member: string, value: unknown): boolean {
    const { definition, live } = this.#subject;
    const names = this.#namesOf(member).filter((name) => live[name] !== undefined);
    return names.some((name) => equalJson(toWire(definition, { [name]: live[name] })[member], value));
  }

  #namesOf(member: string): string[] {
    const { definition } = this.#subject;
    return Object.keys(definition.fields).filter((name) => wireName(definition, name) === member);
  }

  #noReviewFor(what: string): ConsoleError {
    const { definition, id } = this.#subject;
    return new ConsoleError(
      `${nameOf(definition, id)} needs a review, and the API has none for ${what}. Make this change in the console, or set reviews: "bypass" for it.`,
      { category: "refused" },
    );
  }

  /**
   * Opens, edits, commits and takes back, so that each change that was collected has one review. Returns true where it committed
   * one: then the object is another. `beforeCommit`: done before the first.
   */
  async settle(beforeCommit?: () => Promise<void>): Promise<boolean> {
    const changes = this.#collected.splice(0);
    if (changes.length === 0 && this.#before.length === 0 && this.#own === undefined) return false;
    this.waiting.clear();
    this.#left = [];
    this.#own = await this.#ownReviews();
    const wanted = changes.map(({ slot }) => slot);
    await this.#takeBack(this.#own.filter((review) => !wanted.includes(review.slot) && !isClosed(review)));
    const kept = this.#left.length;
    let hasCommitted = false;
    for (const change of changes) {
      // A read may be late: what is committed is not asked for again.
      if (this.#committed.has(changeDigest(change.change))) continue;
      const review = await this.#reviewOf(change).catch((error) => this.#heldBack(error, change));
      if (review === undefined) continue;
      if (review.status === "committed") {
        this.#committed.add(review.digest);
        hasCommitted = true;
        continue;
      }
      if (isAccepted(review.status) && this.#left.length === kept) {
        await beforeCommit?.();
        await this.#commit(review);
        this.#committed.add(review.digest);
        hasCommitted = true;
        continue;
      }
      this.#left.push(review);
      for (const name of change.names) this.waiting.add(name);
      this.#reportWaiting(review);
    }
    const rejected = this.#left.find(({ status }) => status === "rejected");
    if (rejected !== undefined && !hasCommitted) throw this.#rejected(rejected);
    return hasCommitted;
  }

  /** A console may let an object have one open review at a time: the next is opened after that. */
  #heldBack(error: unknown, { slot, names }: ReviewedChange): undefined {
    const first = this.#own?.find((review) => !isClosed(review)) ?? this.#left[0];
    if (first === undefined || isClosed(first) || !isConsoleError(error, "refused")) throw error;
    for (const name of names) this.waiting.add(name);
    this.#report(
      `a review of ${slot} can be opened after review ${first.id} is committed (${error.message})`,
    );
  }

  /** The review of a change: the one that there is, edited where the program has changed since, or a new one. */
  async #reviewOf({ slot, change }: ReviewedChange): Promise<OwnReview> {
    const digest = changeDigest(change);
    const ofSlot = (this.#own ?? []).filter((review) => review.slot === slot);
    const open = ofSlot.find((review) => !isClosed(review));
    const same = { slot, digest };
    if (open !== undefined) {
      if (open.digest === digest) return open;
      await this.#call("editReview", open.id, { description: this.#description(same), change });
      this.#report(`review ${open.id} has changed with the program, and needs a new approval.`);
      return { ...same, id: open.id, status: "pending" };
    }
    const last = ofSlot.at(-1);
    // A commit in the console since the last update; one that was undone since then needs a review of its own.
    const isNews = last?.status === "committed" && this.#before.some(({ id }) => id === last.id);
    if (last?.digest === digest && (last.status === "rejected" || isNews)) return last;
    return this.#open(same, change);
  }

  async #open(same: Pick<OwnReview, "slot" | "digest">, change: JsonObject): Promise<OwnReview> {
    const { context, definition } = this.#subject;
    const body = { description: this.#description(same), ...(await this.#reviewers()), change };
    try {
      const answer = await context.client.item(routeOf(definition, "createReview"), {
        params: { id: this.#subject.id },
        body,
      });
      return { ...same, id: textOf(answer.review_id), status: textOf(answer.status ?? "pending") };
    } catch (error) {
      if (!isConsoleError(error) || !error.uncertain) throw error;
      await context.sleep(betweenLooksMs);
      const found = (await this.#ownReviews()).find(
        (one) => one.slot === same.slot && one.digest === same.digest,
      );
      if (found === undefined || isClosed(found)) throw error;
      return found;
    }
  }

  /** The API takes ids; of the people who may review, where it lists them, it shows the e-mail addresses too. */
  async #reviewers(): Promise<JsonObject> {
    const { context, definition, id, program } = this.#subject;
    const named = program[reviewersOption];
    if (!Array.isArray(named) || named.length === 0) return {};
    const isAddress = (one: unknown): one is string => typeof one === "string" && one.includes("@");
    const list = definition.routes.listEligibleReviewers;
    const people: JsonObject[] = [];
    if (named.some(isAddress) && list !== undefined)
      for await (const one of context.client.items(list, { params: { id } })) people.push(one);
    const ids = named.map((one) => {
      if (!isAddress(one)) return one;
      const found = people.find(({ email }) => textOf(email).toLowerCase() === one.toLowerCase());
      if (typeof found?.id === "string") return found.id;
      const advice =
        list === undefined ? "of this kind the API takes ids alone" : "the console lists no such reviewer";
      throw new ConsoleError(`${reviewersOption}: ${quote(one)}: ${advice}.`, {
        category: "invalid-argument",
      });
    });
    return { reviewer_ids: ids };
  }

  async #commit(review: OwnReview): Promise<void> {
    try {
      await this.#call("commitReview", review.id);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "refused")) throw error;
      // A commit whose answer was lost is refused the second time.
      if ((await this.#status(review.id)) !== "committed") throw error;
    }
    this.#report(`review ${review.id} was accepted: its change is committed.`);
  }

  async #takeBack(reviews: readonly OwnReview[]): Promise<void> {
    for (const review of reviews) {
      const { cancel } = this.#reviews;
      try {
        if (cancel !== undefined) await this.#call(cancel, review.id);
        else
          await this.#call("rejectReview", review.id, { reason: "The program no longer has this change." });
        this.#report(`review ${review.id} is taken back: the program no longer has its change.`);
      } catch (error) {
        if (!isConsoleError(error)) throw error;
        if (isClosed({ status: (await this.#status(review.id)) ?? "committed" })) continue;
        this.#left.push(review);
        this.#report(
          `review ${review.id} is still open, and the program no longer has its change: reject it in the console (${error.message}).`,
        );
      }
    }
  }

  /** The reviews of this stack, oldest first: by their marks, and those that state notes, whose descriptions may have been edited. */
  async #ownReviews(): Promise<OwnReview[]> {
    const { context, definition, id } = this.#subject;
    const found: OwnReview[] = [];
    for await (const one of context.client.items(routeOf(definition, "listReviews"), { params: { id } })) {
      const noted = this.#before.find((review) => review.id === one.review_id);
      const mark = markIn(this.#stack, one.description) ?? noted;
      if (mark === undefined || typeof one.review_id !== "string") continue;
      found.push({ id: one.review_id, slot: mark.slot, digest: mark.digest, status: textOf(one.status) });
    }
    for (const review of this.#before) {
      if (found.some((one) => one.id === review.id)) continue;
      const status = await this.#status(review.id);
      if (status !== undefined) found.push({ ...review, status });
    }
    return found.sort((one, other) => Number(one.id) - Number(other.id));
  }

  async #status(review: string): Promise<string | undefined> {
    try {
      return textOf((await this.#call("getReview", review))?.status);
    } catch (error) {
      if (isConsoleError(error, "not-found")) return undefined;
      throw error;
    }
  }

  #call(routeName: string, review: string, body?: JsonObject): Promise<JsonObject | undefined> {
    const { context, definition, id } = this.#subject;
    const params = { id, reviewID: review };
    const route = routeOf(definition, routeName);
    const given = body ?? (route.body === undefined ? undefined : {});
    return context.client.maybeItem(route, { params, ...(given === undefined ? {} : { body: given }) });
  }

  #description(same: Pick<OwnReview, "slot" | "digest">): string {
    const { context, definition, id } = this.#subject;
    const message =
      context.reviews?.message ?? `Change of ${nameOf(definition, id)} by the Pulumi stack ${this.#stack}`;
    return describedReview(this.#stack, message, same);
  }

  #reportWaiting({ id, slot, status }: OwnReview): void {
    if (status === "rejected") return;
    const state = isAccepted(status) ? "accepted, and an earlier review is not" : status.replaceAll("_", " ");
    this.#report(
      `waits for approval: review ${id} of ${slot} (${state}). The next "pulumi up" commits it once it is accepted.`,
    );
  }

  #report(line: string): void {
    const { context, definition, id } = this.#subject;
    context.report(`${nameOf(definition, id)}: ${line}`);
  }

  #rejected({ id, slot }: OwnReview): ConsoleError {
    return new ConsoleError(
      `Review ${id} of ${slot} was rejected; the console shows by whom and why. Nothing of it was applied. Change the program back, ` +
        'or change it and run "pulumi up": that opens a new review.',
      { category: "refused" },
    );
  }
}

const betweenLooksMs = 1000;
