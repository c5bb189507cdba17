// Binds a package schema as Pulumi does, and writes packages for languages from it. With "programs", it writes what `pulumi import` prints
// for the resources of an exported stack, or what `pulumi convert` makes of a folder of its intermediate language.
//
//	package-sdks SCHEMA [FOLDER LANGUAGE...]
//	package-sdks programs SCHEMA SOURCE FOLDER LANGUAGE...
//
// Every finding of the binder fails the run, warnings too.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// tool stands in the first line of each written file.
const tool = "pulumi-feature-console"

// files of a package, by their paths in it.
type files = map[string][]byte

var writers = map[string]func(*schema.Package) (files, error){
	"go": func(pkg *schema.Package) (files, error) { return gogen.GeneratePackage(tool, pkg, nil) },
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (files, error) { return python.GeneratePackage(tool, pkg, nil, nil) },
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 3 && args[0] == "programs" {
		for _, language := range args[4:] {
			if err := writeProgram(args[1], args[2], filepath.Join(args[3], language), language); err != nil {
				return fmt.Errorf("%s: %w", language, err)
			}
		}
		return nil
	}
	if len(args) == 0 {
		return errors.New("usage: package-sdks SCHEMA [FOLDER LANGUAGE...]")
	}
	if _, err := bound(args[0]); err != nil || len(args) == 1 {
		return err
	}
	for _, language := range args[2:] {
		if err := write(args[0], filepath.Join(args[1], language), language); err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
	}
	return nil
}

// bound is the package of a schema in which the binder finds nothing.
func bound(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, findings, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	for _, finding := range findings {
		fmt.Fprintln(os.Stderr, finding)
	}
	if err == nil && len(findings) > 0 {
		err = fmt.Errorf("the binder has %d findings", len(findings))
	}
	return pkg, err
}

// write makes the package anew for each language: a writer changes what it gets.
func write(file, folder, language string) error {
	writer, known := writers[language]
	if !known {
		return errors.New("no such language; there are go, nodejs and python")
	}
	pkg, err := bound(file)
	if err != nil {
		return err
	}
	written, err := writer(pkg)
	if err != nil {
		return err
	}
	return save(written, folder)
}

func save(written files, folder string) error {
	for name, text := range written {
		target := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
