export { keepable } from "./kept";
export { type PromotePorts, plannedPromotion } from "./promote-in-stacks";
export { isWhole, promotionReport } from "./promote-report";
