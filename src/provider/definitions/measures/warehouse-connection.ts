import { z } from "zod";
import { defineResource } from "../../schema/define";
import { writeOnly } from "../../schema/field";
import { route } from "../../schema/verbs";
import { maybeFlag, maybeText, text, textOrNone } from "../parts/traits";

/** Pulumi marks whole arguments: what stands beside a credential is a secret like it. */
const secret = true;

const databricks = z.object({
  host: maybeText("Host of the workspace."),
  path: maybeText("HTTP path of the SQL warehouse."),
  accessToken: maybeText("Access token."),
  stagingDatabase: maybeText("Database that the console writes to."),
  oauthClientID: textOrNone("Client id of OAuth."),
  consoleComputePath: textOrNone("HTTP path of the SQL warehouse for queries of the console."),
});

const snowflake = z.object({
  accountName: maybeText("Name of the account."),
  serviceUserName: maybeText("Name of the service user."),
  serviceUserPassword: maybeText("Password of the service user."),
  privateKey: textOrNone("Private key of the service user."),
  keyPassPhrase: textOrNone("Pass phrase of the private key."),
  stagingDatabaseName: maybeText("Database that the console writes to."),
  stagingSchemaName: maybeText("Schema that the console writes to."),
  computeWarehouse: maybeText("Warehouse that computes."),
  consoleComputeWarehouse: textOrNone("Warehouse for queries of the console."),
});

const bigquery = z.object({
  privateKey: maybeText("Private key of the service account."),
  project: maybeText("Project."),
  consoleComputeProject: maybeText("Project for queries of the console."),
  stagingDataset: maybeText("Dataset that the console writes to."),
});

const databricksIngestion = z.object({
  token: text("Access token."),
  host: text("Host of the workspace."),
  path: text("HTTP path of the SQL warehouse."),
  deltaSharingCredentials: maybeText("Credentials of Delta Sharing."),
  verified: maybeFlag("Whether the connection counts as verified."),
});

/** The connection to a warehouse. Source: console-api/corrections-2.md, section 1. */
export const warehouseConnection = defineResource({
  kind: "WarehouseConnection",
  name: "warehouseConnection",
  title: "warehouse connection",
  doc:
    "The connection of the project to its warehouse. No request reads it back: state, where its arguments are secrets, is all there is, " +
    "so an edit in the console is no drift. `databricks`, `snowflake` and `bigquery` connect a warehouse-native account, " +
    "`databricksIngestion` the ingestions of another one.",
  identity: { how: "singleton", id: "project" },
  fields: {
    databricks: writeOnly(databricks.optional(), { doc: "Connection to Databricks.", secret }),
    snowflake: writeOnly(snowflake.optional(), { doc: "Connection to Snowflake.", secret }),
    bigquery: writeOnly(bigquery.optional(), { doc: "Connection to BigQuery.", secret }),
    databricksIngestion: writeOnly(databricksIngestion.optional(), {
      doc: "Connection to Databricks for ingestions.",
      secret,
    }),
  },
  routes: {
    patch: route("PATCH", "/wh_connections", "message", "Changes the connections that the body names.", {
      body: { except: ["databricksIngestion"] },
    }),
    connectDatabricks: route(
      "POST",
      "/ingestion/connection/databricks",
      "item",
      "Connects ingestions to Databricks; answers no credential.",
      { returnsKind: "ingestionConnection", body: { schema: databricksIngestion } },
    ),
  },
  lifecycle: {
    create: { how: "claim", why: "No read shows whether the project has a connection.", mayBeUnread: true },
    read: { how: "remember", why: "No request reads a connection back: state is all there is." },
    update: [
      { how: "patch", route: "patch" },
      { how: "value", route: "connectDatabricks", field: "databricksIngestion" },
    ],
    delete: { why: "The API cannot remove a connection.", onDeleteDefault: "retain" },
  },
});
