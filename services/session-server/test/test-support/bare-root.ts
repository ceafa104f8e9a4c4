// A root of the file system with a program, a token and what both are linked to, and with nothing else: no Node.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'

const PROGRAM = '/opt/chancela agent/chancela-agent'
const PAGES = '/pages'

interface Contents {
  readonly program: string
  /** Libraries that are loaded by their path. */
  readonly libraries: readonly string[]
  /** Folders that come along, where they are. */
  readonly folders: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** Runs the program in such a root, as the only user there is, with the network of the machine. */
export function newBareRoot({ program, libraries, folders, environment }: Contents) {
  const root = mkdtempSync(join(tmpdir(), 'chancela-root-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const place = (from: string, to = from) => cpSync(from, join(root, to), { recursive: true, dereference: true })
  for (const file of [program, '/bin/sh', ...libraries]) for (const library of linkedTo(file)) place(library)
  for (const folder of ['proc', 'dev', 'home', 'tmp', PAGES]) mkdirSync(join(root, folder))
  for (const same of [...libraries, ...folders, '/bin/sh']) place(same)
  place(program, PROGRAM)
  // A browser that keeps the addresses it is given.
  writeFileSync(join(root, 'browser'), `#!/bin/sh\necho "$1" > ${PAGES}/$$\n`, { mode: 0o755 })

  const start = (...args: readonly string[]) => {
    const words = Object.entries({ HOME: '/home', ...environment }).map(([name, value]) => `${name}=${value}`)
    const command = [pathOf('env'), '-i', ...words, pathOf('chroot'), root, PROGRAM, ...args]
    const child = spawn('unshare', ['--map-root-user', '--mount', '/bin/sh', '-c', MOUNTED, root, ...command])
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = { out: '', err: '' }
    child.stdout.on('data', (bytes) => {
      said.out += bytes
    })
    child.stderr.on('data', (bytes) => {
      said.err += bytes
    })
    const ended = once(child, 'close').then(([code]) => code as number | null)
    return { said, ended, stop: () => void child.kill('SIGTERM') }
  }

  return {
    root,
    start,
    async run(...args: readonly string[]) {
      const { said, ended } = start(...args)
      return { code: await ended, ...said }
    },
    /** The address of the next page that is opened. */
    nextPage: () =>
      vi.waitUntil(
        () => {
          const [name] = readdirSync(join(root, PAGES))
          if (name === undefined) return undefined
          const url = readFileSync(join(root, PAGES, name), 'utf8').trim()
          if (url) rmSync(join(root, PAGES, name))
          return url
        },
        { interval: 20 },
      ) as Promise<string>,
  }
}

/** $0 is the root, the rest the command. */
const MOUNTED = 'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec "$@"'

const pathOf = (program: string): string =>
  execFileSync('/bin/sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()

/** The shared libraries of a program or library, and the loader. */
const linkedTo = (file: string): readonly string[] =>
  execFileSync('ldd', [file], { encoding: 'utf8' }).match(/\/\S+(?= \(0x)/g) ?? []
