#!/usr/bin/env bash
# Pulumi Deployments: a preview for each pull request, an up for each push to main. Run it once, logged in to Pulumi Cloud.
set -euo pipefail
: "${FEATURE_CONSOLE_API_KEY:?is to hold a console key that may write}"

pulumi deployment settings edit \
  --stack shop/gitops/prod \
  --github-repo shop/flags \
  --branch main \
  --folder . \
  --preview-prs \
  --push-to-deploy \
  --secret-env "FEATURE_CONSOLE_API_KEY=$FEATURE_CONSOLE_API_KEY"
