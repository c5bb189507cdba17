import { routeOf } from "../../schema/define";
import { type ConsoleError, changeRefused, invalidArgument, isConsoleError } from "../../schema/errors";
import { type JsonObject, textOf } from "../../schema/json";
import type { Reviews } from "../../schema/reviews";
import { quote } from "../../texts/issue-text";
import { reviewersOption } from "../../values/options";
import { nameOf } from "../context";
import { lookUpList } from "../look-up";
import { stackOf, type Target } from "../subject";
import {
  changeDigest,
  describedReview,
  isAccepted,
  isClosed,
  markIn,
  type OwnReview,
  reviewsIn,
} from "./marks";
import { isForReview, reviewMode } from "./mode";
import { mayNeedReview } from "./requirement";
import { type ReviewedChange, reviewedParts } from "./reviewed-parts";

/** A write of the object. `send`: sends it with this body. `beforeCommit`: runs before a review applies it instead. */
export interface ReviewableWrite<Answer> {
  readonly routeName: string;
  readonly body: unknown;
  readonly live: JsonObject;
  send(body: unknown): Promise<Answer>;
  readonly beforeCommit?: () => Promise<void>;
}

const betweenLooksMs = 1000;

/**
 * Writes of one object, of which each change that needs a review has one: it commits an accepted review, and leaves the change to an open
 * one. `settle` takes back the reviews that no write asked for.
 */
export class ReviewingClient {
  readonly #object: Target;
  readonly #reviews: Reviews;
  readonly #stack: string;
  readonly #noted: readonly OwnReview[];
  /** True where writes open reviews; else the reviews in state are only taken back. */
  readonly opens: boolean;
  /** Reviews for the state, by id. */
  readonly #entries: Map<string, OwnReview>;
  /** All reviews of this stack, oldest first, once they were listed. */
  #listed: Promise<OwnReview[]> | undefined;
  /** Slots of the changes that writes of this run asked for. */
  readonly #slots = new Set<string>();
  readonly #committed = new Set<string>();
  /** The console has refused a change for want of a review that no setting demands. */
  #isDemanded = false;
  #rejected: OwnReview | undefined;

  /** Undefined where no write of the object can need a review, and state has none. */
  static of(object: Target): ReviewingClient | undefined {
    const { reviews } = object.definition.lifecycle;
    const opens = reviewMode(object.context, object.program) === "open";
    if (reviews === undefined || (!opens && reviewsIn(object.state).length === 0)) return undefined;
    return new ReviewingClient(object, reviews, opens);
  }

  private constructor(object: Target, reviews: Reviews, opens: boolean) {
    this.#object = object;
    this.#reviews = reviews;
    this.#stack = stackOf(object.context, object.state) ?? "";
    this.#noted = reviewsIn(object.state);
    this.#entries = new Map(this.#noted.map((review) => [review.id, review]));
    this.opens = opens;
  }

  /** Reviews for the state: the open ones, and one whose rejection the program still has to answer. */
  get entries(): readonly OwnReview[] {
    return [...this.#entries.values()];
  }

  /** The refusal of a change whose review was rejected. */
  get rejection(): ConsoleError | undefined {
    if (this.#rejected === undefined) return undefined;
    const { id, slot } = this.#rejected;
    return changeRefused(
      `Review ${id} of ${slot} was rejected; the console shows by whom and why. Nothing of it was applied. Change the program back, ` +
        'or change it and run "pulumi up": that opens a new review.',
    );
  }

  /**
   * Sends a write without the changes that wait for a review. @returns the fields of those, and the answer where a part was sent.
   * @throws ConsoleError "refused" for a change that needs a review which the API does not have.
   */
  async write<Answer>(
    write: ReviewableWrite<Answer>,
  ): Promise<{ readonly sent?: Answer; readonly waiting: readonly string[] }> {
    const { routeName, body, live, send, beforeCommit } = write;
    const { definition, id } = this.#object;
    const parts = this.opens
      ? reviewedParts({ definition, live }, this.#reviews, routeName, body)
      : undefined;
    if (parts === undefined) return { sent: await send(body), waiting: [] };
    const { context } = this.#object;
    if (!this.#isDemanded && !(await mayNeedReview({ context, definition, id, live }, parts.rules))) {
      const sent = await send(body).catch((error) => this.#noteDemand(error, live));
      if (!this.#isDemanded) return { ...(sent === undefined ? {} : { sent }), waiting: [] };
    }
    if (parts.withoutReview.length > 0)
      throw changeRefused(
        `${nameOf(definition, id)} needs a review, and the API has none for ${parts.withoutReview.join(", ")}. ` +
          'Make this change in the console, or set reviews: "bypass" for it.',
      );
    const waiting: string[] = [];
    for (const change of parts.changes) {
      const isApplied = await this.#apply(change, waiting.length === 0, beforeCommit);
      if (!isApplied) waiting.push(...change.names);
    }
    return { ...(parts.rest === undefined ? {} : { sent: await send(parts.rest.body) }), waiting };
  }

  /** Notes that the console has refused a write for want of a review. @throws any other failure */
  #noteDemand(error: unknown, live: JsonObject): undefined {
    const { program } = this.#object;
    if (!isConsoleError(error) || !isForReview(error, { live, program })) throw error;
    this.#isDemanded = true;
  }

  /** Applies a change whose review was accepted, or leaves it to its review. @returns true where it is applied. */
  async #apply(
    reviewed: ReviewedChange,
    isFirst: boolean,
    beforeCommit: (() => Promise<void>) | undefined,
  ): Promise<boolean> {
    const { slot } = reviewed;
    this.#slots.add(slot);
    const change = await this.#withIds(reviewed);
    const digest = changeDigest(change);
    const ofSlot = (await this.#list()).filter((review) => review.slot === slot);
    const last = ofSlot.at(-1);
    // Also a commit in the console since the last update. One that was undone since then needs a review of its own.
    const isNews = this.#noted.some(({ id }) => id === last?.id) || this.#committed.has(last?.id ?? "");
    if (last?.digest === digest && last.status === "committed" && isNews) return true;
    if (last?.digest === digest && last.status === "rejected") {
      this.#rejected = last;
      this.#keep(last);
      return false;
    }
    const open = ofSlot.find((review) => !isClosed(review));
    if (open !== undefined && open.digest !== digest && !(await this.#takeBack(open))) return false;
    const review = open?.digest === digest ? open : await this.#open({ slot, digest }, change);
    if (review === undefined) return false;
    if (isAccepted(review.status) && isFirst) {
      await beforeCommit?.();
      await this.#commit(review);
      return true;
    }
    this.#keep(review);
    const state = isAccepted(review.status)
      ? "accepted, and an earlier review is not"
      : review.status.replaceAll("_", " ");
    this.#report(
      `waits for approval: review ${review.id} of ${slot} (${state}). The next "pulumi up" commits it once it is accepted.`,
    );
    return false;
  }

  #keep(review: OwnReview): void {
    for (const one of this.entries) if (one.slot === review.slot) this.#entries.delete(one.id);
    this.#entries.set(review.id, review);
  }

  /** The change with ids where the body has names. A text that is no such name stays as it is. */
  async #withIds({ slot, change }: ReviewedChange): Promise<JsonObject> {
    const { context } = this.#object;
    const members = this.#reviews.members.flatMap((part) => Object.values(part));
    const idsOf = members.find(({ as }) => as === slot)?.idsOf;
    const names = change[slot];
    if (idsOf === undefined || !Array.isArray(names) || names.length === 0) return change;
    const listed = await lookUpList({ kind: idsOf, routeName: "list" }, undefined, () => context);
    return { ...change, [slot]: names.map((name) => listed.find((one) => one.name === name)?.id ?? name) };
  }

  /** Opens a review. Undefined where the console lets an object have one open review at a time, and has another one. */
  async #open(same: Pick<OwnReview, "slot" | "digest">, change: JsonObject): Promise<OwnReview | undefined> {
    const { context, definition, id } = this.#object;
    const message =
      context.reviews.message ?? `Change of ${nameOf(definition, id)} by the Pulumi stack ${this.#stack}`;
    const description = describedReview(this.#stack, message, same);
    const body = { description, ...(await this.#reviewers()), change };
    try {
      const answer = await context.client.item(routeOf(definition, "createReview"), { params: { id }, body });
      const opened = {
        ...same,
        id: textOf(answer.review_id),
        status: textOf(answer.status ?? "pending"),
      };
      this.#listed = this.#listed?.then((all) => [...all, opened]);
      return opened;
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      const found = error.uncertain ? await this.#lostReview(same) : undefined;
      if (found !== undefined) return found;
      const [first] = (await this.#list()).filter((review) => !isClosed(review));
      if (error.category !== "refused" || first === undefined) throw error;
      this.#report(
        `a review of ${same.slot} can be opened after review ${first.id} is committed (${error.message})`,
      );
      return undefined;
    }
  }

  /** The review that a request opened whose answer was lost. */
  async #lostReview({ slot, digest }: Pick<OwnReview, "slot" | "digest">): Promise<OwnReview | undefined> {
    await this.#object.context.sleep(betweenLooksMs);
    this.#listed = undefined;
    return (await this.#list()).find((one) => one.slot === slot && one.digest === digest && !isClosed(one));
  }

  /** The API takes ids; of the people who may review, where it lists them, it shows the e-mail addresses too. */
  async #reviewers(): Promise<JsonObject> {
    const { context, definition, id, program } = this.#object;
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
      throw invalidArgument(`${reviewersOption}: ${quote(one)}: ${advice}.`);
    });
    return { reviewer_ids: ids };
  }

  async #commit(review: OwnReview): Promise<void> {
    try {
      await this.#call("commitReview", review.id);
    } catch (error) {
      if (!isConsoleError(error) || !(error.uncertain || error.category === "refused")) throw error;
      // A commit whose answer was lost is refused the second time.
      if ((await this.#statusOf(review.id)) !== "committed") throw error;
    }
    this.#committed.add(review.id);
    this.#close(review, "committed");
    this.#report(`review ${review.id} was accepted: its change is committed.`);
  }

  #close(review: OwnReview, status: string): void {
    this.#entries.delete(review.id);
    this.#listed = this.#listed?.then((all) =>
      all.map((one) => (one.id === review.id ? { ...one, status } : one)),
    );
  }

  /** Takes back the open reviews whose change no write of this run asked for. */
  async settle(): Promise<void> {
    if (this.#noted.length === 0 && this.#listed === undefined) return;
    for (const review of await this.#list()) {
      if (this.#slots.has(review.slot)) continue;
      if (isClosed(review)) this.#entries.delete(review.id);
      else await this.#takeBack(review);
    }
  }

  /** Takes a review back. @returns false where it is still open. */
  async #takeBack(review: OwnReview): Promise<boolean> {
    const { cancel } = this.#reviews;
    const reason = { reason: "The program no longer has this change." };
    try {
      if (cancel !== undefined) await this.#call(cancel, review.id);
      else await this.#call("rejectReview", review.id, reason);
      this.#report(`review ${review.id} is taken back: the program no longer has its change.`);
    } catch (error) {
      if (!isConsoleError(error)) throw error;
      if (!isClosed({ status: (await this.#statusOf(review.id)) ?? "committed" })) {
        this.#entries.set(review.id, review);
        this.#report(
          `review ${review.id} is still open, and the program no longer has its change: reject it in the console (${error.message}).`,
        );
        return false;
      }
    }
    this.#close(review, "rejected");
    return true;
  }

  #list(): Promise<OwnReview[]> {
    this.#listed ??= this.#ownReviews();
    return this.#listed;
  }

  /** The reviews of this stack: by their marks, and those in state, whose descriptions may have been edited. None of an object that is gone. */
  async #ownReviews(): Promise<OwnReview[]> {
    const { context, definition, id } = this.#object;
    const found: OwnReview[] = [];
    try {
      for await (const one of context.client.items(routeOf(definition, "listReviews"), { params: { id } })) {
        const noted = this.#noted.find((review) => review.id === one.review_id);
        const mark = markIn(this.#stack, one.description) ?? noted;
        if (mark === undefined || typeof one.review_id !== "string") continue;
        found.push({ id: one.review_id, slot: mark.slot, digest: mark.digest, status: textOf(one.status) });
      }
    } catch (error) {
      if (!isConsoleError(error, "not-found")) throw error;
    }
    for (const { id: noted } of this.entries) {
      const now = found.find((one) => one.id === noted);
      if (now === undefined || now.status === "committed") this.#entries.delete(noted);
      else this.#entries.set(noted, now);
    }
    return found.sort((one, other) => Number(one.id) - Number(other.id));
  }

  async #statusOf(review: string): Promise<string | undefined> {
    try {
      return textOf((await this.#call("getReview", review))?.status);
    } catch (error) {
      if (isConsoleError(error, "not-found")) return undefined;
      throw error;
    }
  }

  #call(routeName: string, review: string, body?: JsonObject): Promise<JsonObject | undefined> {
    const { context, definition, id } = this.#object;
    const params = { id, reviewID: review };
    const route = routeOf(definition, routeName);
    const given = body ?? (route.body === undefined ? undefined : {});
    return context.client.maybeItem(route, { params, ...(given === undefined ? {} : { body: given }) });
  }

  #report(line: string): void {
    const { context, definition, id } = this.#object;
    context.report(`${nameOf(definition, id)}: ${line}`);
  }
}
