// What readers hold, as tools of the system tell it over PC/SC (workstation-agent facts 2).
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Machine } from './modules.ts'

/** A reader, or the part of a token that is one. */
export interface Reader {
  readonly name: string
  /** The answer to reset of its card, in hexadecimal; undefined without a card. */
  readonly atr?: string | undefined
}

/** The readers; undefined where no tool tells them. */
export async function listReaders(machine: Machine): Promise<readonly Reader[] | undefined> {
  for (const tool of openscTools(machine)) {
    const listed = await output(tool, ['--list-readers'])
    if (listed !== undefined) return withCards(readerTable(listed), (number) => cardIn(tool, number))
  }
  if (machine.platform !== 'win32') return undefined
  // Silent: it asks for no PIN.
  const told = await output('certutil', ['-scinfo', '-silent'])
  return told === undefined ? undefined : readersInCertutil(told)
}

/** OpenSC's tool, by its name or where its installers put it. */
function openscTools({ platform, environment, exists }: Machine): readonly string[] {
  const programs = environment.ProgramFiles ?? 'C:\\Program Files'
  const places: Readonly<Record<string, string>> = {
    win32: join(programs, 'OpenSC Project', 'OpenSC', 'tools', 'opensc-tool.exe'),
    darwin: '/Library/OpenSC/bin/opensc-tool',
  }
  const place = places[platform]
  return ['opensc-tool', ...(place !== undefined && exists(place) ? [place] : [])]
}

interface NumberedReader {
  readonly number: string
  readonly name: string
  readonly hasCard: boolean
}

const withCards = (
  readers: readonly NumberedReader[],
  atrIn: (number: string) => Promise<string | undefined>,
): Promise<readonly Reader[]> =>
  Promise.all(
    readers.map(async ({ number, name, hasCard }) => ({ name, atr: hasCard ? await atrIn(number) : undefined })),
  )

async function cardIn(tool: string, number: string): Promise<string | undefined> {
  const told = await output(tool, ['--reader', number, '--atr'])
  return told === undefined ? undefined : atrIn(told)
}

/** The rows of `opensc-tool --list-readers`: number, card, features and name in columns. */
export const readerTable = (text: string): readonly NumberedReader[] =>
  [...text.matchAll(/^(\d[\d ]{4})(Yes|No ) {3}.{10}(.+)$/gm)].map(([, number, card, name]) => ({
    number: number!.trim(),
    name: name!.trim(),
    hasCard: card === 'Yes',
  }))

/** What `opensc-tool --atr` prints. */
export const atrIn = (text: string): string | undefined =>
  text
    .match(/^[0-9a-f]{2}(:[0-9a-f]{2})+\s*$/im)?.[0]
    .replace(/[:\s]/g, '')
    .toUpperCase()

/** What `certutil -scinfo` tells in any language of Windows: the names first, and an ATR behind those with a card. */
export function readersInCertutil(text: string): readonly Reader[] {
  const atrs = new Map<string, string | undefined>()
  let current = ''
  let isDump = false
  for (const line of text.split(/\r?\n/)) {
    const [, listed] = line.match(/^ +\d+: (\S.*?) *$/) ?? []
    if (listed !== undefined) atrs.set(listed, undefined)
    const told = line.startsWith('---') ? [...atrs.keys()].find((name) => line.endsWith(`: ${name}`)) : undefined
    current = told ?? current
    const dump: string = isDump ? dumpedBytes(line) : ''
    if (dump !== '' && atrs.has(current)) atrs.set(current, (atrs.get(current) ?? '') + dump)
    isDump = dump !== '' || /^---.*ATR: *$/.test(line)
  }
  return [...atrs].map(([name, atr]) => ({ name, atr }))
}

/** The bytes of a line of a dump, without what they mean as text. */
const dumpedBytes = (line: string): string =>
  (line.match(/^ +((?:[0-9a-f]{2} {0,2})+)(?: {3}|$)/i)?.[1] ?? '').replace(/ /g, '').toUpperCase()

/** Longer than a reader needs to answer. */
const PATIENCE = 15 * SECOND

/** What a tool prints; undefined where it is not here or fails. */
const output = (tool: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { timeout: PATIENCE, windowsHide: true, encoding: 'utf8' } as const
    execFile(tool, [...args], options, (error, stdout) => resolve(error ? undefined : stdout))
  })
