// The packaged agent on machines without Node. `npm run prove:agent-package` makes the package and runs this.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { signedIn } from '@chancela/testkit/console'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test, vi } from 'vitest'
import { newBareRoot } from './test-support/bare-root.ts'
import { layCable } from './test-support/cable.ts'
import { running } from './test-support/pki.ts'
import { startSessionServer } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { fetchWhenReady, newPdf, signForm } from './test-support/signing.ts'
import { createSession, newPerson, newTokenHolder, TOKEN_PIN, untilOffered } from './test-support/workstation.ts'

const program = process.env.CHANCELA_AGENT_PACKAGE!

const service = sharedSignatureService()

test('in a root without Node the package enrols, offers a token and signs through a real session server', async () => {
  const world = await startSessionServer('SQLite', { signer: service })
  const cable = await layCable(world.consoleUrl)
  const holder = await newTokenHolder()
  const { call } = await signedIn(world)
  const { body } = await call('POST', '/api/workstations', { name: 'Recepção', cpfs: [holder.cpf] })
  const configuration = process.env.SOFTHSM2_CONF!
  const bare = newBareRoot({
    program,
    libraries: [holder.token.module],
    folders: [dirname(configuration)],
    environment: { SOFTHSM2_CONF: configuration },
  })

  expect(await bare.run('enrol', cable.url, body.code)).toMatchObject({ code: 0, err: '' })
  const added = await bare.run('add-token', holder.token.module, '--token', holder.label)
  expect(added).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`, in ${holder.label}`) })
  expect(await bare.run('list')).toEqual(added)

  const agent = bare.start('run', '--browser', '/browser')
  await vi.waitUntil(() => agent.said.err.includes('Connected as Recepção.'), { interval: 20 })
  await untilOffered(world, body.workstation.id)
  const asked = createSession(world, holder.cpf)
  const { url } = await fetch(await bare.nextPage())
  await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'continue', pin: TOKEN_PIN }) })
  const session = await asked
  expect([session.status, session.body.error]).toEqual([201, undefined])
  const signed = await signForm(world, session.body.sessionId, newPdf())
  expect((await fetchWhenReady(world, signed.body.signatureId)).status).toBe(200)

  agent.stop()
  expect([await agent.ended, agent.said.err]).toEqual([0, expect.not.stringContaining('arning')])
  const cache = join(bare.root, 'home/.cache/chancela/agent')
  expect([statSync(cache).mode & 0o777, readdirSync(cache)]).toEqual([0o700, [expect.stringMatching(/pkcs11\.node$/)]])
})

test('the package reads a file with its password in a thread of its own', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'ana.p12')
  writeFileSync(file, running.pki.pkcs12(await newPerson('52998224725'), { password: TOKEN_PIN }))
  const command = `'${program}' add-file '${file}' --home '${folder}/home'`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH, HOME: folder } })
  let said = ''
  terminal.stdout.on('data', (bytes) => {
    said += bytes
  })
  const ended = once(terminal, 'close')
  await vi.waitUntil(() => said.includes('Password of'), { interval: 20 })
  terminal.stdin.write(`${TOKEN_PIN}\n`)
  const [code] = await ended
  expect([code, said]).toEqual([0, expect.stringContaining('529.982.247-25')])
  expect(said).not.toContain('arning')
})

/** A systemd of a user, on a machine of its own; then what a person does. */
const asUser = `
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user
export XDG_RUNTIME_DIR=/run/user
/usr/lib/systemd/systemd --user --log-target=null &
until systemctl --user is-system-running --quiet 2>/dev/null; do sleep 0.1; done
agent() { "$PROGRAM" "$@" --home "$HOME/the \\"agent\\" of 100%"; }
pid() { agent status | sed -n 's/.*runs as process \\([0-9]*\\)\\.$/\\1/p'; }
runs() { until agent status | grep -q 'runs as process'; do sleep 0.2; done; }
agent install && runs
systemctl --user show --property=UnitFileState,Restart 'chancela-agent-*' 
first=$(pid)
kill -9 "$first"
runs
[ "$first" != "$(pid)" ] && echo 'another process'
agent install && runs
agent uninstall && agent status
systemctl --user list-unit-files 'chancela-agent-*' --no-legend | wc -l
`

test('a systemd of a user starts the installed package, starts it again when it is killed, and forgets it', async () => {
  const home = temporaryFolder()
  const folder = join(home, 'the "agent" of 100%')
  mkdirSync(folder)
  const key = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE'
  const enrolment = { server: 'http://127.0.0.1:9', serverPublicKey: key, workstationId: 'w', name: 'R', secret: key }
  writeFileSync(join(folder, 'enrolment.json'), JSON.stringify(enrolment))
  const { stdout, stderr } = await promisify(execFile)(
    'unshare',
    ['--map-root-user', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', asUser],
    { env: { PATH: process.env.PATH, HOME: home, PROGRAM: program } },
  )
  expect(stderr).toBe('')
  expect(stdout).toContain(join(home, '.config/systemd/user/chancela-agent-'))
  expect(stdout).toContain('Restart=always\nUnitFileState=enabled')
  expect(stdout).toContain('another process')
  expect(stdout.trimEnd().split('\n').slice(-2)).toEqual(['The agent does not run.', '0'])
  expect(readdirSync(join(home, '.config/systemd/user')).filter((name) => name.endsWith('.service'))).toEqual([])
})

test('the package carries the licences of everything in it, and its digest', async () => {
  const licences = `\n${readFileSync(`${program}.licenses.txt`, 'utf8')}`
  for (const name of ['Chancela', 'Node.js', 'pkcs11js', 'ws ', 'undici']) expect(licences).toContain(`\n${name}`)
  const [file, folder] = [program.split('/').at(-1)!, dirname(program)]
  const { stdout } = await promisify(execFile)('sha256sum', ['--check', `${file}.sha256`], { cwd: folder })
  expect(stdout).toContain('OK')
})
