#!/usr/bin/env bash
# Installs the tool from this folder into another one: install.sh TARGET. The command is TARGET/bin/openapi-contract-diff.js.
# The installation has only runtime dependencies, and is independent of the surrounding repository.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1"
cp -R "$home"/{bin,rules,schema,src,package.json,tsconfig.json,tsconfig.build.json} "$1"
cd "$1"
# The only development dependency needed is the compiler.
node -e '
  const fs = require("node:fs");
  const { devDependencies: all, ...rest } = JSON.parse(fs.readFileSync("package.json", "utf8"));
  const devDependencies = { typescript: all.typescript, "@types/node": all["@types/node"] };
  fs.writeFileSync("package.json", JSON.stringify({ ...rest, devDependencies }));
'
npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error
npm run --silent build
npm prune --omit=dev --no-audit --no-fund --no-package-lock --loglevel=error
rm -rf src
