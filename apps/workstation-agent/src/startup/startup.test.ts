import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { expect, test, vi } from 'vitest'
import { AgentProblem } from '../agent-problem.ts'
import { defaultHome } from '../home.ts'
import { desktopIn } from '../prompt/desktop-environment.ts'
import { desktopEntry } from './desktop-entry.ts'
import { entryOf } from './entry.ts'
import { launchAgent } from './launch-agent.ts'
import { systemdUnit } from './systemd-unit.ts'
import { waysOf } from './ways.ts'
import { windowsCommand } from './windows-command.ts'

/** Whatever a path may contain that means something to one of the formats. */
const AWKWARD = `d'Ávila & "Filhos" <100%> $HOME \`x\` \\n \\`

const entryIn = (folder: string) => {
  const program = join(folder, AWKWARD, 'chancela agent')
  return entryOf([program, '--flag', AWKWARD], join(folder, AWKWARD, 'home'))
}

test('an entry starts this program with this folder, whole, and has a name for each folder', () => {
  const entry = entryOf(['/opt/chancela-agent'], 'some/../folder')
  const home = join(process.cwd(), 'folder')
  expect(entry.watched).toEqual(['/opt/chancela-agent', 'run', '--home', home])
  expect(entry.alone).toEqual(['/opt/chancela-agent', 'run', '--background', '--home', home])
  expect(entryOf(['x'], defaultHome()).name).toBe('chancela-agent')
  expect(entry.name).toMatch(/^chancela-agent-[0-9a-f]{8}$/)
  expect(entryOf(['x'], '/another').name).not.toBe(entry.name)
})

test('systemd takes the unit, whatever the paths contain, and starts the agent again for ever', async () => {
  const folder = temporaryFolder()
  const unit = join(folder, 'chancela-agent.service')
  writeFileSync(unit, systemdUnit(entryIn(folder)))
  const { ok, text } = await runTool('systemd-analyze', ['verify', '--user', '--man=no', unit], {
    env: { XDG_RUNTIME_DIR: folder },
  })
  expect([ok, text.split('\n').filter((line) => line.includes('chancela'))]).toEqual([true, []])
  expect(readFileSync(unit, 'utf8')).toMatch(/^Restart=always$/m)
  expect(readFileSync(unit, 'utf8')).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('a desktop starts of its entry exactly these words', async () => {
  const folder = temporaryFolder()
  const entry = entryIn(folder)
  const said = join(folder, 'said')
  mkdirSync(join(folder, AWKWARD))
  writeFileSync(entry.alone[0]!, `#!/bin/sh\nprintf '%s\\n' "$@" > "${said}.new"; mv "${said}.new" "${said}"\n`)
  chmodSync(entry.alone[0]!, 0o700)
  const file = join(folder, 'chancela-agent.desktop')
  writeFileSync(file, desktopEntry(entry))
  await runTool('gio', ['launch', file])
  const words = await vi.waitUntil(() => readIf(said), { interval: 20 })
  expect(words.split('\n').slice(0, -1)).toEqual(entry.alone.slice(1))
})

test('launchd reads exactly these words, and keeps the agent alive', async () => {
  const folder = temporaryFolder()
  const entry = entryIn(folder)
  const file = join(folder, 'chancela-agent.plist')
  writeFileSync(file, launchAgent(entry))
  const readAt = async (path: string) => (await runTool('xmllint', ['--nonet', '--xpath', path, file])).text.trimEnd()
  const array = "/plist/dict/key[.='ProgramArguments']/following-sibling::array[1]/string"
  for (const [index, word] of entry.watched.entries()) expect(await readAt(`string(${array}[${index + 1}])`)).toBe(word)
  expect(await readAt(`count(${array})`)).toBe(String(entry.watched.length))
  for (const key of ['KeepAlive', 'RunAtLoad'])
    expect(await readAt(`name(//key[.='${key}']/following-sibling::*[1])`)).toBe('true')
})

test('Windows takes the command line apart as it was put together', () => {
  expect(windowsCommand(['C:\\Program Files\\Chancela\\chancela-agent.exe', 'run', '--home', 'D:\\ana\\'])).toBe(
    '"C:\\Program Files\\Chancela\\chancela-agent.exe" "run" "--home" "D:\\ana\\\\"',
  )
  expect(windowsCommand(['a\\"b', '\\\\server\\x y', ''])).toBe('"a\\\\\\"b" "\\\\server\\x y" ""')
  expect(() => windowsCommand(['x'.repeat(260)])).toThrow(AgentProblem)
})

const person = { folder: '/people/ana', id: 501, environment: {} }
const entry = entryOf(['/opt/chancela-agent'], defaultHome())

test('macOS loads the agent into the session of its user, and lets go of it', () => {
  const [way] = waysOf('darwin', entry, person)
  const path = '/people/ana/Library/LaunchAgents/chancela-agent.plist'
  expect(way).toMatchObject({
    place: path,
    end: [['launchctl', 'bootout', 'gui/501/chancela-agent']],
    begin: [
      ['launchctl', 'enable', 'gui/501/chancela-agent'],
      ['launchctl', 'bootstrap', 'gui/501', path],
    ],
  })
})

test('Windows starts the agent at log-in of its user, and needs no administrator', () => {
  const [way] = waysOf('win32', entry, person)
  const key = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'
  const command = `"/opt/chancela-agent" "run" "--background" "--home" "${defaultHome()}"`
  expect(way).toMatchObject({
    isThere: ['reg', 'query', key, '/v', 'chancela-agent'],
    begin: [
      ['reg', 'add', key, '/v', 'chancela-agent', '/t', 'REG_SZ', '/d', command, '/f'],
      ['/opt/chancela-agent', 'run', '--background', '--home', defaultHome()],
    ],
    remove: [['reg', 'delete', key, '/v', 'chancela-agent', '/f']],
  })
})

test('Linux prefers the systemd of the user, and has the autostart of desktops else', () => {
  const [systemd, autostart] = waysOf('linux', entry, { ...person, environment: { XDG_CONFIG_HOME: '/x' } })
  expect([systemd?.place, autostart?.place]).toEqual([
    '/x/systemd/user/chancela-agent.service',
    '/x/autostart/chancela-agent.desktop',
  ])
  expect(systemd?.probe).toEqual(['systemctl', '--user', 'show-environment'])
  expect(waysOf('linux', entry, { ...person, folder: homedir() })[0]?.place).toContain('.config/systemd/user')
})

test('an agent of systemd finds the desktop that came after it', () => {
  const said = "HOME=/people/ana\nDISPLAY=:0\nWAYLAND_DISPLAY=wayland-0\nXAUTHORITY=/run/a=b\nODD=$'a b'\nLANG=C\n"
  expect(desktopIn(said)).toEqual({ DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-0', XAUTHORITY: '/run/a=b' })
  expect(desktopIn('')).toEqual({})
})

function readIf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // not yet written
  }
}
