import * as fc from "pulumi-feature-console";

// One for each project: what is not in the list is removed. Destroy leaves the environments as they are.
const environments = new fc.Environments("environments", {
  environments: [
    { name: "production", isProduction: true, requiresReview: true, requiresReleasePipeline: true },
    { name: "staging", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
    { name: "load test", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
  ],
});

const shop = new fc.Tag("shop", { description: "Everything about the shop" });
const critical = new fc.Tag("critical", { description: "Ask before you touch it", isCore: true });

const web = new fc.TargetApp("web", { description: "The web shop" });
const phone = new fc.TargetApp("phone", { description: "The shop on phones" });

const company = new fc.UnitIdType("companyID", { description: "All users of one company are one unit" });

const invoices = new fc.Gate(
  "pay_by_invoice",
  {
    description: "Companies may pay by invoice",
    idType: company.name,
    tags: [shop.name, critical.name],
    targetApps: [web.name, phone.name],
    rules: [
      {
        name: "Everyone in staging",
        passPercentage: 100,
        environments: ["staging"],
        conditions: [{ type: "public" }],
      },
    ],
  },
  { dependsOn: environments },
);

export const gateId = invoices.id;
export const appIds = [web.id, phone.id];
