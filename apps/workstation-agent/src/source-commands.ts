import { resolve } from 'node:path'
import { listPkcs11Certificates, type Pkcs11TokenInfo } from '@chancela/signature-engine/keys'
import { AgentProblem } from './agent-problem.ts'
import { certificateLine } from './certificate-line.ts'
import { AgentHome, type SourceEntry, type TokenEntry } from './home.ts'
import { readFileEntry } from './sources/file-source.ts'
import { KeySources } from './sources/key-sources.ts'
import { findTokens } from './tokens/find-tokens.ts'
import { thisMachine } from './tokens/modules.ts'
import { readerSentence } from './tokens/token-sentences.ts'

/** Adds the tokens of a PKCS#11 module, or one of them; the module is loaded, but no PIN is tried. */
export async function addToken(home: string, module: string, token?: string): Promise<void> {
  const path = resolve(module)
  await listPkcs11Certificates(path)
  const entry: TokenEntry = { kind: 'token', module: path, ...(token !== undefined && { token }) }
  add(home, entry)
}

/** Adds the tokens that show themselves in usual modules, or one of them. No PIN is tried. */
export async function addFoundTokens(home: string, wanted?: string): Promise<void> {
  const { tokens, readers, problems } = await findTokens(thisMachine)
  const usable = tokens.filter(({ info, certificates }) => certificates.length > 0 && isWanted(info, wanted))
  const lacking = readers?.find(({ card, isInstalled }) => card && !isInstalled)
  if (usable.length === 0) throw new AgentProblem(lacking ? readerSentence(lacking) : (problems[0] ?? NONE_FOUND))
  // By their serial numbers: the module of one vendor may show the tokens of another, too.
  for (const { module, info } of usable) add(home, { kind: 'token', module, token: info.serialNumber || info.label })
}

const NONE_FOUND = 'No such token with a certificate was found: chancela-agent tokens says what is here.'

const isWanted = ({ label, serialNumber }: Pkcs11TokenInfo, wanted: string | undefined): boolean =>
  wanted === undefined || wanted === label || wanted === serialNumber

/** Adds a PKCS#12 file; its password opens it once, to read the public part. */
export async function addFile(home: string, path: string, password: string, alias?: string): Promise<void> {
  add(home, await readFileEntry(resolve(path), password, alias))
}

function add(folder: string, entry: SourceEntry): void {
  const home = new AgentHome(folder)
  const others = home.readSources().filter((known) => describe(known) !== describe(entry))
  home.writeSources([...others, entry])
}

/** Removes the source with this number of the list. */
export function removeSource(folder: string, number: string): string {
  const home = new AgentHome(folder)
  const sources = home.readSources()
  const removed = sources[Number(number) - 1]
  if (!removed) throw new AgentProblem(`There is no source number ${number}; chancela-agent list shows them.`)
  home.writeSources(sources.filter((source) => source !== removed))
  return describe(removed)
}

/** Every source with its number, and the certificates that are there now. */
export async function listSources(folder: string): Promise<readonly string[]> {
  const home = new AgentHome(folder)
  const entries = home.readSources().map((entry, index) => `${index + 1}. ${describe(entry)}`)
  const problems: string[] = []
  const sources = new KeySources(home, (sentence) => problems.push(sentence))
  await sources.look()
  const certificates = sources.all.flatMap(({ name, certificates }) =>
    certificates.map(({ certificate }) => `   ${certificateLine(certificate)}, in ${name}`),
  )
  return [...entries, ...certificates, ...problems.filter((sentence) => !sentence.endsWith(' is here.'))]
}

function describe(entry: SourceEntry): string {
  if (entry.kind === 'file') return `file ${entry.path}`
  return `token ${entry.token ?? '(any)'} of ${entry.module}`
}
