module languages

go 1.25

require (
	github.com/pulumi/pulumi/sdk/v3 v3.259.0
	pulumi-feature-console/sdk/go v0.0.0
)

replace pulumi-feature-console/sdk/go => ../../../sdk/go
