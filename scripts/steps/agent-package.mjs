// One executable of the agent: a Node binary with the program, the programs of its threads and the native code for
// PKCS#11 inside (Node's "single executable applications").
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { addonHere, bundleAgent } from './agent-bundle.mjs'
import { installed, quietly } from './run-command.mjs'
import { Hindrance, say } from './say.mjs'

/** What is made for which machine: the format of its executables, and the processor as that format names it. */
export const platforms = {
  'linux-x64': { format: 'ELF', machine: 0x3e },
  'linux-arm64': { format: 'ELF', machine: 0xb7 },
  'darwin-arm64': { format: 'Mach-O', machine: 0x0100_000c },
  'darwin-x64': { format: 'Mach-O', machine: 0x0100_0007 },
  'win32-x64': { format: 'PE', machine: 0x8664 },
  'win32-arm64': { format: 'PE', machine: 0xaa64 },
}

export const here = `${process.platform}-${process.arch}`

/** @typedef {{ platform: string, node?: string | undefined, addon?: string | undefined, out: string }} Wanted */

/** Where Node looks for what was put into it, and what tells it that there is something. */
const RESOURCE = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/**
 * Makes the executable, a file with its digest and one with the licences of what is in it; returns its path.
 * @param {string} root @param {Wanted} wanted
 */
export async function packageAgent(
  root,
  { platform, node = nodeFor(platform), addon = addonFor(root, platform), out },
) {
  judgeNode(node, platform)
  judgeFormat(addon, platform)
  const work = mkdtempSync(join(tmpdir(), 'chancela-package-'))
  try {
    const { version, packages, ...parts } = await bundleAgent(root)
    const blob = await writeBlob(work, { ...parts, addon })
    const file = join(out, `chancela-agent-${version}-${platform}${platform.startsWith('win32') ? '.exe' : ''}`)
    mkdirSync(out, { recursive: true })
    await putTogether(file, node, blob, platform)
    writeFileSync(`${file}.sha256`, `${digestOf(file)}  ${basename(file)}\n`)
    writeFileSync(`${file}.licenses.txt`, licencesOf(root, packages))
    return file
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} platform */
function nodeFor(platform) {
  if (platform === here) return process.execPath
  throw new Hindrance(`For ${platform} give its Node, of version ${process.version}: --node <path of the binary>.`)
}

/** @param {string} root @param {string} platform */
function addonFor(root, platform) {
  const addon = platform === here ? addonHere(root) : undefined
  if (addon) return addon
  const place = 'node_modules/pkcs11js/build/Release/pkcs11.node'
  throw new Hindrance(
    platform === here
      ? 'The native part of pkcs11js is missing: its install found no compiler. Install one and run npm rebuild pkcs11js.'
      : `For ${platform} give ${place} of an npm ci on such a machine: --addon <path>.`,
  )
}

/** The form of what is put in belongs to a version of Node.
 * @param {string} node @param {string} platform */
function judgeNode(node, platform) {
  const bytes = judgeFormat(node, platform)
  if (!bytes.includes(FUSE)) throw new Hindrance(`${node} cannot carry a program: take a binary of nodejs.org.`)
  if (node !== process.execPath && !bytes.includes(`/${process.version}/`))
    throw new Hindrance(`${node} is not Node ${process.version}, which runs this script: both must be of one version.`)
}

/** @param {string} file @param {string} platform */
function judgeFormat(file, platform) {
  const wanted = platforms[/** @type {keyof typeof platforms} */ (platform)]
  if (!wanted) throw new Hindrance(`No platform is called ${platform}: ${Object.keys(platforms).join(', ')}.`)
  if (!existsSync(file)) throw new Hindrance(`${file} does not exist.`)
  const bytes = readFileSync(file)
  const found = formatOf(bytes)
  if (found?.format !== wanted.format || found.machine !== wanted.machine)
    throw new Hindrance(`${file} is not for ${platform}.`)
  return bytes
}

/** The format of a program or library, and its processor; undefined for anything else.
 * @param {Buffer} bytes */
export function formatOf(bytes) {
  if (bytes.length < 64) return undefined
  if (bytes.readUInt32BE(0) === 0x7f45_4c46) return { format: 'ELF', machine: bytes.readUInt16LE(18) }
  if (bytes.readUInt32LE(0) === 0xfeed_facf) return { format: 'Mach-O', machine: bytes.readUInt32LE(4) }
  const header = bytes.readUInt32LE(0x3c)
  const isPe = bytes.toString('latin1', 0, 2) === 'MZ' && bytes.toString('latin1', header, header + 4) === 'PE\0\0'
  return isPe ? { format: 'PE', machine: bytes.readUInt16LE(header + 4) } : undefined
}

/** @param {string} work @param {{ program: string, threads: Record<string, string>, addon: string }} parts */
async function writeBlob(work, { program, threads, addon }) {
  const place = (/** @type {string} */ name) => join(work, name)
  const texts = { 'main.cjs': program, ...threads }
  for (const [name, text] of Object.entries(texts)) writeFileSync(place(name), text)
  const assets = Object.fromEntries(Object.keys(threads).map((name) => [name, place(name)]))
  const config = {
    main: place('main.cjs'),
    output: place('blob'),
    assets: { ...assets, 'pkcs11.node': addon },
    disableExperimentalSEAWarning: true,
    // Both would tie the blob to the machine it is made on.
    useSnapshot: false,
    useCodeCache: false,
  }
  writeFileSync(place('sea.json'), JSON.stringify(config))
  await quietly('Writing the program', process.execPath, ['--experimental-sea-config', place('sea.json')])
  return config.output
}

/** @param {string} file @param {string} node @param {string} blob @param {string} platform */
async function putTogether(file, node, blob, platform) {
  copyFileSync(node, file)
  chmodSync(file, 0o755)
  const isMac = platform.startsWith('darwin')
  // A changed program with the signature of the unchanged one is ended by macOS.
  if (isMac && process.platform === 'darwin')
    await quietly('Removing the signature', 'codesign', ['--remove-signature', file])
  const options = ['--sentinel-fuse', FUSE, ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : [])]
  await quietly('Putting the program into Node', installed('postject'), [file, RESOURCE, blob, ...options])
  if (!isMac) return
  if (process.platform === 'darwin') await quietly('Signing', 'codesign', ['--sign', '-', file])
  else say(`macOS runs it only signed: on a Mac, codesign --remove-signature and codesign --sign - ${file}`)
}

/** @param {string} file */
const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** @param {string} root @param {readonly string[]} packages folders */
function licencesOf(root, packages) {
  const own = `Chancela\n\n${readFileSync(join(root, 'LICENSE'), 'utf8')}`
  const node = `Node.js ${process.version}\n\nhttps://github.com/nodejs/node/blob/${process.version}/LICENSE\n`
  const others = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
    return `${name} ${version} (${license})\n\n${text}`
  })
  return [own, node, ...others].join(`\n${'-'.repeat(80)}\n`)
}
