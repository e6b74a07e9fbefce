// npm run release [-- <platform-arch>…]: the package, archives with Node inside, checksums and SBOMs, in release/.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import packageFile from '../package.json' with { type: 'json' }
import { NODE_PACKAGES } from './setup/pinned-node.mjs'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'release')
const name = `holdfast-${packageFile.version}`
const defaultPlatforms = ['linux-x64', 'linux-arm64']

function run(command: string, args: readonly string[], cwd = ROOT): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    stdio: [...stdio],
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `exit ${status}`}`)
  return stdout
}

/** What an archive leaves out of the packages: what only compilers, browsers and bundlers read. */
const unread = [
  '**/*.{d.ts,d.mts,d.cts,map,md,markdown}',
  '@{aws-sdk,smithy}/**/dist-{es,types}',
  '{.bin,.package-lock.json}',
  'openpgp/dist/{lightweight,types,*.js,*.mjs}',
]

/** Every file of a folder gets the same moment and the same modes, so that two runs give the same bytes. */
function packFolder(parent: string, folder: string, file: string): void {
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w']
  run('tar', [...same, '--use-compress-program=gzip -n', '-cf', file, folder], parent)
}

/** The Node of a platform without its symbols, which are a fifth of it; as it is where no `strip` knows the platform. */
function strip(node: string): void {
  const worked = ['llvm-strip', 'strip'].some((tool) => spawnSync(tool, ['--strip-all', node]).status === 0)
  if (!worked) console.warn(`${node} keeps its symbols: install llvm-strip to leave them out.`)
}

/** The package, which npm builds before it packs it. Archives hold what it holds. */
function makePackage(): string {
  run('npm', ['pack', '--silent', '--pack-destination', OUT])
  return `${name}.tgz`
}

/** An archive, and the list of what is in it. */
function makeArchive(platform: string): [archive: string, list: string] {
  const nodePackage = NODE_PACKAGES[platform]
  if (!nodePackage)
    throw new Error(`There is no Node for ${platform}; there is for ${Object.keys(NODE_PACKAGES).join(', ')}.`)
  const folder = `${name}-${platform}`
  const place = join(OUT, folder)
  const lib = join(place, 'lib')
  fs.mkdirSync(lib, { recursive: true })
  const programs = ['--strip-components=1', '--exclude=*.map', 'package/dist', 'package/scripts']
  run('tar', ['-xzf', join(OUT, `${name}.tgz`), '-C', lib, ...programs])
  fs.cpSync(join(ROOT, 'package-lock.json'), join(lib, 'package-lock.json'))
  fs.writeFileSync(join(lib, 'package.json'), `${JSON.stringify(shippedPackage(), null, 2)}\n`)
  const [os = '', cpu = ''] = platform.split('-')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['ci', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc', '--prefer-offline', ...quiet], lib)
  const list = `${folder}.cdx.json`
  writeBillOfMaterials(lib, list)
  const packages = join(lib, 'node_modules')
  fs.renameSync(join(packages, nodePackage, 'bin', 'node'), join(lib, 'node'))
  fs.cpSync(join(packages, nodePackage, 'LICENSE'), join(place, 'licences', 'node.txt'))
  fs.rmSync(join(packages, nodePackage), { recursive: true })
  strip(join(lib, 'node'))
  writeLicences(packages, join(place, 'licences'))
  for (const path of fs.globSync(unread, { cwd: packages }))
    fs.rmSync(join(packages, path), { recursive: true, force: true })
  fs.rmSync(join(lib, 'package-lock.json'))
  fs.mkdirSync(join(place, 'bin'))
  fs.writeFileSync(join(place, 'bin', 'holdfast'), launcher, { mode: 0o755 })
  for (const each of ['LICENSE', 'CHANGELOG.md']) fs.cpSync(join(ROOT, each), join(place, each))
  fs.cpSync(join(ROOT, 'deploy', 'systemd'), join(place, 'systemd'), { recursive: true })
  const file = `${folder}.tar.gz`
  packFolder(OUT, folder, file)
  fs.rmSync(place, { recursive: true })
  return [file, list]
}

const launcher = `#!/bin/sh
lib=$(dirname "$(dirname "$(readlink -f "$0")")")/lib
exec "$lib/node" "$lib/scripts/holdfast.mjs" "$@"
`

/** The licence of each package in a list, and the texts beside it. */
function writeLicences(packages: string, to: string): void {
  const lines = fs
    .globSync(['*/package.json', '@*/*/package.json'], { cwd: packages })
    .sort()
    .map((file) => {
      const folder = join(file, '..')
      const described = JSON.parse(fs.readFileSync(join(packages, file), 'utf8'))
      const [text] = fs.globSync('{LICENSE,LICENCE,license,licence,COPYING}*', { cwd: join(packages, folder) }).sort()
      if (text) fs.cpSync(join(packages, folder, text), join(to, `${folder.replaceAll('/', '__')}.txt`))
      return `${described.name} ${described.version}: ${described.license ?? 'see its text'}\n`
    })
  fs.writeFileSync(join(to, 'README'), `Node: see node.txt\n${lines.join('')}`)
}

/** The package as archives hold it: with the packages that few need, and without those for development. */
function shippedPackage(): object {
  const { devDependencies: _dev, peerDependencies, peerDependenciesMeta: _optional, ...shipped } = packageFile
  return { ...shipped, dependencies: { ...shipped.dependencies, ...peerDependencies } }
}

/** What was installed for an archive, as CycloneDX. Its number and its moment would differ each time, and say nothing. */
function writeBillOfMaterials(lib: string, file: string): void {
  const listed = run('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], lib)
  const { serialNumber: _number, ...described } = JSON.parse(listed)
  delete described.metadata.timestamp
  // npm takes the name of the folder.
  described.metadata.component.name = packageFile.name
  fs.writeFileSync(join(OUT, file), `${JSON.stringify(described, null, 2)}\n`)
}

function main(platforms: readonly string[]): void {
  fs.rmSync(OUT, { recursive: true, force: true })
  fs.mkdirSync(OUT)
  const files = [makePackage(), ...platforms.flatMap(makeArchive)]
  const sums = files.map(
    (file) =>
      `${createHash('sha256')
        .update(fs.readFileSync(join(OUT, file)))
        .digest('hex')}  ${file}\n`,
  )
  fs.writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''))
  for (const file of files) console.log(`release/${file}  ${(fs.statSync(join(OUT, file)).size / 1e6).toFixed(1)} MB`)
}

main(process.argv.length > 2 ? process.argv.slice(2) : defaultPlatforms)
