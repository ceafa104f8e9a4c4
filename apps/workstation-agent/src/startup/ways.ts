// How each system starts a program for a person: what is written where, and the commands that begin and end it.
import { join } from 'node:path'
import { desktopEntry } from './desktop-entry.ts'
import type { StartupEntry } from './entry.ts'
import { launchAgent } from './launch-agent.ts'
import { systemdUnit } from './systemd-unit.ts'
import { windowsCommand } from './windows-command.ts'

export type Command = readonly [program: string, ...args: string[]]

/** The machine and the person, as far as the ways depend on them. */
export interface Person {
  readonly folder: string
  readonly id: number
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface Way {
  /** Where the entry is, for a person. */
  readonly place: string
  /** Undefined where the entry is no file. */
  readonly file?: { readonly path: string; readonly text: string }
  /** Succeeds where this way is open. */
  readonly probe?: Command
  /** Succeeds where the entry is there; without it the file tells. */
  readonly isThere?: Command
  /** Ends what runs of it; may fail where nothing does. */
  readonly end: readonly Command[]
  /** Once the file is written, or in its place. */
  readonly begin: readonly Command[]
  /** Once the file is gone, or in its place. */
  readonly remove: readonly Command[]
  /** What a person should know besides. */
  readonly hint?: string
}

type WayOf = (entry: StartupEntry, person: Person) => Way

const systemd: WayOf = (entry, { folder, environment }) => {
  const unit = `${entry.name}.service`
  const path = join(environment.XDG_CONFIG_HOME || join(folder, '.config'), 'systemd', 'user', unit)
  return {
    place: path,
    file: { path, text: systemdUnit(entry) },
    probe: ['systemctl', '--user', 'show-environment'],
    end: [['systemctl', '--user', 'disable', '--now', unit]],
    begin: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', unit],
      ['systemctl', '--user', 'restart', unit],
    ],
    remove: [['systemctl', '--user', 'daemon-reload']],
    hint: 'It runs while you are logged in; loginctl enable-linger keeps it running without.',
  }
}

const autostart: WayOf = (entry, { folder, environment }) => {
  const path = join(environment.XDG_CONFIG_HOME || join(folder, '.config'), 'autostart', `${entry.name}.desktop`)
  const [program, ...args] = entry.alone as [string, ...string[]]
  return {
    place: path,
    file: { path, text: desktopEntry(entry) },
    end: [],
    begin: [[program, ...args]],
    remove: [],
  }
}

const launchd: WayOf = (entry, { folder, id }) => {
  const path = join(folder, 'Library', 'LaunchAgents', `${entry.name}.plist`)
  const domain = `gui/${id}`
  return {
    place: path,
    file: { path, text: launchAgent(entry) },
    end: [['launchctl', 'bootout', `${domain}/${entry.name}`]],
    begin: [
      ['launchctl', 'enable', `${domain}/${entry.name}`],
      ['launchctl', 'bootstrap', domain, path],
    ],
    remove: [],
  }
}

const RUN_KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'

const runKey: WayOf = (entry) => {
  const [program, ...args] = entry.alone as [string, ...string[]]
  const command = windowsCommand(entry.alone)
  return {
    place: `${RUN_KEY}\\${entry.name}`,
    isThere: ['reg', 'query', RUN_KEY, '/v', entry.name],
    end: [],
    begin: [
      ['reg', 'add', RUN_KEY, '/v', entry.name, '/t', 'REG_SZ', '/d', command, '/f'],
      [program, ...args],
    ],
    remove: [['reg', 'delete', RUN_KEY, '/v', entry.name, '/f']],
  }
}

const ways: Readonly<Record<string, readonly WayOf[]>> = { darwin: [launchd], win32: [runKey] }
const elsewhere: readonly WayOf[] = [systemd, autostart]

/** The ways of a system, the best first. */
export const waysOf = (platform: string, entry: StartupEntry, person: Person): readonly Way[] =>
  (ways[platform] ?? elsewhere).map((way) => way(entry, person))
