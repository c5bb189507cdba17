export { countUsers } from "./count";
export { fieldOf, type Move } from "./tally";
