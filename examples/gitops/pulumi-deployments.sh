#!/usr/bin/env bash
# Pulumi Deployments: an up for each push to main. Run it once, logged in to Pulumi Cloud.
set -euo pipefail
: "${FEATURE_CONSOLE_API_KEY:?is to hold a console key that may write}"

# Without --preview-prs: a deployment has one set of variables, so the preview of a pull request would run the branch's code with the key
# that may write. Previews run in a pipeline, with a key that may read (.github/workflows/flags.yml, without its jobs apply and drift).
pulumi deployment settings edit \
  --stack shop/gitops/prod \
  --vcs-provider github \
  --repo shop/flags \
  --branch main \
  --folder . \
  --push-to-deploy \
  --env FEATURE_CONSOLE_ALLOWED_HOSTS=statsigapi.net

# The key comes by standard input: other programs see the arguments of a command.
node --print 'JSON.stringify({
  operationContext: {
    environmentVariables: { FEATURE_CONSOLE_API_KEY: { secret: process.env.FEATURE_CONSOLE_API_KEY } },
  },
})' | pulumi api --method POST --input - /api/stacks/shop/gitops/prod/deployments/settings
