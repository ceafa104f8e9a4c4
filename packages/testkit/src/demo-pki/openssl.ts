import { spawn } from 'node:child_process'

export interface OpensslRun {
  readonly ok: boolean
  readonly stdout: Buffer
  /** Both outputs: openssl says some verdicts on one, some on the other. */
  readonly text: string
}

/** Runs the openssl command line, the independent judge of what this folder makes. Only tests use it. */
export function openssl(
  command: readonly string[],
  { input = '', password = '' }: { input?: Buffer | string; password?: string } = {},
): Promise<OpensslRun> {
  // The password goes through the environment (`-passin env:PASSWORD`), which takes any character.
  const child = spawn('openssl', command, { env: { ...process.env, PASSWORD: password, LC_ALL: 'C.UTF-8' } })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk) => out.push(chunk))
  child.stderr.on('data', (chunk) => err.push(chunk))
  // openssl may end before it has read everything it was given; its exit code tells enough.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ ok: code === 0, stdout: Buffer.concat(out), text: Buffer.concat([...out, ...err]).toString('utf8') }),
    )
  })
}

/** PEM text of DER bytes, for openssl options that take nothing else. */
export const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`
