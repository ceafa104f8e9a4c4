// The unit, the settings and the image of a site that runs the batch signer alone (docs/batch-signer-alone.md).
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'deploy/batch-signer')
const UNIT = join(FOLDER, 'chancela-batch-signer.service')
const API_KEY = 'a key of sixteen letters and more'
const run = promisify(execFile)
const patient = { timeout: 120_000 }
/** Two processes load the whole command line, on a machine that may be busy. */
const unhurried = { timeout: 300_000 }

/** Every setting of a unit, in its order; one that is repeated adds to a list. */
function settingsOf(file: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name !== undefined) settings.set(name, [...(settings.get(name) ?? []), value!])
  }
  return settings
}

const unit = settingsOf(UNIT)
const one = (name: string): string => unit.get(name)!.join(' ')

describe('the unit of the batch signer alone', () => {
  test('checks the settings that it starts with, as a user of its own, and drains when it is stopped', () => {
    const [check, start] = [one('ExecStartPre'), one('ExecStart')]
    expect(check.replace('config check', 'start')).toBe(start)
    expect(start).toMatch(/chancela\.mjs start batch-signer --config \S+ --data \/var\/lib\/chancela$/)
    expect([one('User'), one('Group'), one('UMask')]).toEqual(['chancela', 'chancela', '0027'])
    expect(Number(one('TimeoutStopSec'))).toBeGreaterThan(20)
  })

  test('may do nothing but see open writers, and writes only where its drop-in says', () => {
    expect([one('AmbientCapabilities'), one('CapabilityBoundingSet')]).toEqual(['CAP_LEASE', 'CAP_LEASE'])
    expect([one('ProtectSystem'), one('NoNewPrivileges'), one('PrivateDevices')]).toEqual(['strict', 'yes', 'yes'])
    expect(unit.has('ReadWritePaths')).toBe(false)
    const folders = settingsOf(join(FOLDER, 'folders.conf')).get('ReadWritePaths')!
    const { Storage } = JSON.parse(readFileSync(join(FOLDER, 'batch-signer.json'), 'utf8'))['batch-signer']
    expect(folders).toEqual(Storage.Inputs.map(({ Path }: { Path: string }) => `-${Path}`))
  })

  test('is one that systemd takes with its drop-ins, and finds little exposed', async () => {
    const etc = temporaryFolder()
    const name = 'chancela-batch-signer.service'
    mkdirSync(join(etc, `${name}.d`))
    writeFileSync(join(etc, name), readFileSync(UNIT))
    for (const file of ['folders.conf', 'token.conf'])
      writeFileSync(join(etc, `${name}.d`, file), readFileSync(join(FOLDER, file)))
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', join(etc, name)])
    // Programs that are not installed on this machine are no fault of the unit.
    const faults = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes(name) && !/not executable/.test(line))
    expect(faults).toEqual([])
    const judged = await run('systemd-analyze', ['security', '--offline=true', '--threshold=25', join(etc, name)])
    expect(judged.stdout).toContain('Overall exposure level')
  })
})

/** Two people of the machine: the service and the ERP. Where nobody may change users, both are who runs the test. */
interface People {
  readonly service: readonly string[]
  readonly erp: readonly string[]
  own(path: string, who: 'service' | 'erp', mode: number): void
}

const [SERVICE, ERP] = [47_001, 47_002]
const as = (user: number, other: number, caps: readonly string[] = []) => [
  'setpriv',
  `--reuid=${user}`,
  `--regid=${user}`,
  `--groups=${other}`,
  ...(caps.length === 0 ? ['--inh-caps=-all'] : caps),
]

async function people(): Promise<People> {
  const lease = ['--inh-caps=-all,+lease', '--ambient-caps=-all,+lease', '--bounding-set=-all,+lease', '--no-new-privs']
  const [service, erp] = [as(SERVICE, ERP, lease), as(ERP, SERVICE)]
  const [program, ...args] = [
    ...service,
    process.execPath,
    '-e',
    `require('fs').readFileSync('${join(ROOT, 'package.json')}')`,
  ]
  const isAble = process.geteuid?.() === 0 && (await run(program!, args).then(Boolean, () => false))
  if (!isAble) return { service: [], erp: [], own: (path, _who, mode) => chmodSync(path, mode) }
  return {
    service,
    erp,
    own: (path, who, mode) => {
      chownSync(path, who === 'service' ? SERVICE : ERP, who === 'service' ? SERVICE : ERP)
      chmodSync(path, mode)
    },
  }
}

/** The example's settings and the unit's command, with the paths of the machine below a folder of the test. */
async function site() {
  const root = temporaryFolder()
  chmodSync(root, 0o755)
  const { service, erp, own } = await people()
  const { pki } = await pkiOfToday()
  const holder = demoHolders[0]!
  const store = await testStores.PostgreSQL()
  const below = (path: string) => join(root, path)
  const give = (path: string, who: 'service' | 'erp', mode: number, content?: string | Uint8Array) => {
    if (content === undefined) mkdirSync(below(path), { recursive: true })
    else writeFileSync(below(path), content)
    own(below(path), who, mode)
  }
  for (const parent of ['etc', 'var', 'var/lib', 'srv', 'srv/erp']) {
    mkdirSync(below(parent))
    chmodSync(below(parent), 0o755)
  }
  give('etc/chancela', 'service', 0o750)
  give('var/lib/chancela', 'service', 0o750)
  for (const folder of ['srv/erp/to-sign', 'srv/erp/payments']) give(folder, 'erp', 0o2770)
  const secrets = {
    'database-url': store.url,
    'api-key': API_KEY,
    'company.password': holder.pin,
    'company.p12': pki.pkcs12(pki.certificate(holder.label), { password: holder.pin }),
    'roots.pem': pki.trustAnchors(),
  }
  for (const [file, content] of Object.entries(secrets)) give(`etc/chancela/${file}`, 'service', 0o600, content)
  const example = readFileSync(join(FOLDER, 'batch-signer.json'), 'utf8')
  const moved = example.replaceAll(/"(\/(?:etc|var|srv)\/)/g, `"${root}$1`)
  give('etc/chancela/batch-signer.json', 'service', 0o640, moved)
  const command = (line: string) => {
    const [, ...args] = line.replaceAll(/ (\/(?:etc|var)\/)/g, ` ${root}$1`).split(' ')
    return [process.execPath, ...args.map((arg) => arg.replace('/opt/chancela', ROOT))]
  }
  const env = {
    ...process.env,
    CHANCELA__BATCH_SIGNER__HTTP__PORT: '0',
    CHANCELA__BATCH_SIGNER__COMPACT__PORT: '0',
    // The example trusts the official roots; a test has its own.
    CHANCELA__BATCH_SIGNER__SIGNING__TRUSTANCHORSFILE: below('etc/chancela/roots.pem'),
  }
  const inUmask = (args: readonly string[]) => ['sh', '-c', `umask ${one('UMask')} && exec "$@"`, 'sh', ...args]
  return { below, service, erp, env, command: (name: string) => inUmask(command(one(name))) }
}

describe('a site with the batch signer alone', () => {
  test(
    "passes the unit's check, signs the ERP's file from the ERP's folder, and lets the ERP read the output",
    unhurried,
    async () => {
      const { below, service, erp, env, command } = await site()
      const [check, ...checked] = [...service, ...command('ExecStartPre')]
      await expect(run(check!, checked, { env })).resolves.toMatchObject({ stdout: expect.stringContaining('right') })
      expect(readdirSync(below('var/lib/chancela'))).toEqual([])

      const [start, ...args] = [...service, ...command('ExecStart')]
      const child = spawn(start!, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      let told = ''
      child.stderr.on('data', (chunk) => {
        told += chunk
      })
      await expect.poll(() => told, patient).toMatch(/batch-signer +http/)

      const [drop, ...dropping] = [
        ...erp,
        'sh',
        '-c',
        'umask 0007; cat > "$1.part" && mv "$1.part" "$1"',
        'sh',
        below('srv/erp/to-sign/a.pdf'),
      ]
      const dropped = spawn(drop!, dropping, { stdio: ['pipe', 'inherit', 'inherit'] })
      dropped.stdin.end(samplePdf('from the ERP'))
      expect(await once(dropped, 'close')).toEqual([0, null])
      const output = below('var/lib/chancela/batch-signer/output/a.signed.pdf')
      await expect.poll(() => existsSync(output), patient).toBe(true)
      // Without the hidden file by which the service knows the folder.
      const lying = () => readdirSync(below('srv/erp/to-sign')).filter((name) => !name.startsWith('.'))
      await expect.poll(lying, patient).toEqual([])
      expect(statSync(output).mode & 0o777).toBe(0o640)
      const [read, ...reading] = [...erp, 'cat', output]
      const { stdout } = await run(read!, reading, { encoding: 'buffer' })
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'read.pdf'), stdout)
      const { text } = await runTool('pdfsig', ['-nocert', 'read.pdf'], { folder })
      expect(text).toContain('Signature is Valid')

      const url = /batch-signer +(http\S+)/.exec(told)![1]!
      const metrics = await (await fetch(`${url}/api/metrics`, { headers: { 'X-API-Key': API_KEY } })).text()
      const alerts = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
      for (const name of new Set(alerts.match(/\bbulk_\w+/g))) expect(metrics).toContain(`# TYPE ${name} `)

      child.kill('SIGTERM')
      expect(await once(child, 'close')).toEqual([0, null])
    },
  )
})
