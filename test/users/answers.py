"""Prints the answers of statsig for Python to a file of { document, users, gates, configs }: a list for each flag, as JSON."""

import json
import sys

from statsig import StatsigOptions, StatsigUser, statsig

with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)
options = StatsigOptions(bootstrap_values=json.dumps(asked["document"]), local_mode=True)
statsig.initialize(asked["key"], options)
members = {
    "userID": "user_id",
    "userAgent": "user_agent",
    "appVersion": "app_version",
    "customIDs": "custom_ids",
}
users = [
    StatsigUser(**{members.get(name, name): value for name, value in {"userID": "", **user}.items()})
    for user in asked["users"]
]
answers = {name: [statsig.check_gate(user, name) for user in users] for name in asked["gates"]}
answers |= {
    name: [statsig.get_config(user, name).value for user in users] for name in asked["configs"]
}
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(answers, file)
statsig.shutdown()
