import { spawn } from 'node:child_process'

export interface ToolRun {
  readonly ok: boolean
  readonly exitCode: number | null
  readonly stdout: Buffer
  /** Both outputs: some tools print their verdict on one, some on the other. */
  readonly text: string
}

export interface ToolOptions {
  /** The tool's standard input; default nothing. */
  readonly input?: Uint8Array | string
  /** Passed in the environment as `PASSWORD` (openssl: `-passin env:PASSWORD`), which allows any character. */
  readonly password?: string
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
}

/** Third-party programs that check our output. */
export type Tool =
  | 'gio'
  | 'openssl'
  | 'pdffonts'
  | 'pdfimages'
  | 'pdfinfo'
  | 'pdfsig'
  | 'pdftoppm'
  | 'pdftotext'
  | 'qpdf'
  | 'softhsm2-util'
  | 'systemd-analyze'
  | 'unzip'
  | 'xmllint'
  | 'xmlsec1'
  | 'zip'

/** Runs one of them to its end. */
export function runTool(tool: Tool, args: readonly string[], options: ToolOptions = {}): Promise<ToolRun> {
  const { input = '', password = '', env = {}, folder } = options
  const child = spawn(tool, args, {
    env: { ...process.env, PASSWORD: password, LC_ALL: 'C.UTF-8', ...env },
    ...(folder !== undefined && { cwd: folder }),
  })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk) => out.push(chunk))
  child.stderr.on('data', (chunk) => err.push(chunk))
  // A tool may exit before it has read its whole input; its exit code is enough.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) =>
      resolve({
        ok: exitCode === 0,
        exitCode,
        stdout: Buffer.concat(out),
        text: Buffer.concat([...out, ...err]).toString('utf8'),
      }),
    )
  })
}

/** Runs the openssl command line. */
export const openssl = (args: readonly string[], options?: ToolOptions): Promise<ToolRun> =>
  runTool('openssl', args, options)
