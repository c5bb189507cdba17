package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/importer"
	resource "github.com/pulumi/pulumi/pkg/v3/resource"
	"github.com/pulumi/pulumi/pkg/v3/resource/stack"
	"github.com/pulumi/pulumi/sdk/v3/go/common/apitype"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/config"

	"github.com/hashicorp/hcl/v2"
)

var generators = map[string]func(*pcl.Program) (files, hcl.Diagnostics, error){
	"go":     gogen.GenerateProgram,
	"nodejs": nodejs.GenerateProgram,
	"python": python.GenerateProgram,
}

// one answers with the package at hand, where Pulumi asks the plugin for its schema.
type one struct {
	schema.ReferenceLoader
	pkg *schema.Package
}

func (loader one) LoadPackageV2(context.Context, *schema.PackageDescriptor) (*schema.Package, error) {
	return loader.pkg, nil
}

func (loader one) LoadPackageReferenceV2(
	context.Context, *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return loader.pkg.Reference(), nil
}

// writeProgram writes the program of one language. `source`: the file of an exported stack, or a folder of `pulumi convert --language pcl`.
func writeProgram(schemaFile, source, folder, language string) error {
	generator, known := generators[language]
	if !known {
		return errors.New("no such language; there are go, nodejs and python")
	}
	pkg, err := bound(schemaFile)
	if err != nil {
		return err
	}
	loader := one{pkg: pkg}
	var written files
	generate := func(_ io.Writer, program *pcl.Program) (err error) {
		var findings hcl.Diagnostics
		if written, findings, err = generator(program); err == nil && findings.HasErrors() {
			err = findings
		}
		return err
	}
	about, err := os.Stat(source)
	if err != nil {
		return err
	}
	if about.IsDir() {
		program, findings, err := pcl.BindDirectory(source, loader, pcl.NonStrictBindOptions()...)
		if err == nil && findings.HasErrors() {
			err = findings
		}
		if err == nil {
			err = generate(nil, program)
		}
		if err != nil {
			return err
		}
		return save(written, folder)
	}
	states, imported, err := statesOf(source)
	if err != nil {
		return err
	}
	if err := importer.GenerateLanguageDefinitions(nil, loader, generate, imported, states, nil); err != nil {
		return err
	}
	return save(written, folder)
}

// statesOf are all resources of an exported stack, and those of the package.
func statesOf(file string) (all, imported []*resource.State, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var exported struct{ Deployment apitype.DeploymentV3 }
	if err := json.Unmarshal(text, &exported); err != nil {
		return nil, nil, err
	}
	for _, one := range exported.Deployment.Resources {
		state, err := stack.DeserializeResource(one, config.NopDecrypter)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, state)
		if state.Provider != "" {
			imported = append(imported, state)
		}
	}
	return all, imported, nil
}
