import { openBrowser } from '@chancela/testkit/browser'
import { build, type Rolldown } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { answer, recordedServer } from './test-support/recorded-server.ts'

const entryOf = (name: string) => JSON.stringify(new URL(`./${name}/index.ts`, import.meta.url).pathname)
const entry = entryOf('session-server')

/** Bundles a module for browsers. */
async function bundle(code: string): Promise<Rolldown.OutputChunk> {
  const source = { name: 'source', resolveId: own, load: (id: string) => (own(id) ? code : undefined) }
  const lib = { entry: MODULE, formats: ['es' as const], fileName: 'client' }
  const built = await build({ configFile: false, logLevel: 'error', plugins: [source], build: { write: false, lib } })
  const { output } = (built as Rolldown.RolldownOutput[])[0]!
  expect(output.length).toBe(1)
  return output[0]
}

const MODULE = 'virtual:client'
// As an entry it comes with a folder before it.
const own = (id: string) => (id.endsWith(MODULE) ? MODULE : undefined)

test.each([
  ['session-server', 'createSessionClient', '/v1/signatures'],
  ['cloud-hub', 'createHubClient', '/api/sessions/sign-hash'],
])('the bundle of %s for browsers imports nothing, nothing of Node least of all', async (name, make, path) => {
  const { code, imports, dynamicImports } = await bundle(`export { ${make} } from ${entryOf(name)}`)
  expect([imports, dynamicImports]).toEqual([[], []])
  expect(code).toContain(path)
  expect(code).not.toMatch(/node:|browser-external|\bBuffer\b|\bprocess\b|\brequire\(/)
})

test('what is not used is not in the bundle', async () => {
  const { code } = await bundle(
    `export { isSessionError } from ${entry}; export { isHubError } from ${entryOf('cloud-hub')}`,
  )
  expect(code).not.toMatch(/\/v1\/|\/api\//)
})

test('a document chosen in a browser is signed', async () => {
  const acceptance = { signatureId: 'd1', status: 'PROCESSING', acceptedAt: '2026-11-15T12:00:00.000Z' }
  const { baseUrl, requests } = await recordedServer(
    { status: 200, body: '<link rel="icon" href="data:,">', headers: { 'Content-Type': 'text/html' } },
    answer(202, acceptance),
  )
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const watched = await browser.newPage()
  await watched.page.goto(baseUrl)
  const { code } = await bundle(
    `import { createSessionClient } from ${entry}; Object.assign(window, { createSessionClient })`,
  )
  await watched.page.addScriptTag({ type: 'module', content: code })
  const answered = await watched.page.evaluate(async () => {
    const { createSessionClient } = window as unknown as typeof import('./session-server/index.ts')
    const client = createSessionClient({ baseUrl: location.origin, apiKey: 'k' })
    const chosen = new File(['%PDF-1.7'], 'contrato.pdf')
    return [
      await client.sign({ sessionId: 's1', document: chosen }),
      await client.sign({ sessionId: 's1', document: chosen.stream(), fileName: 'contrato.pdf' }),
    ]
  })
  expect(answered.map(({ signatureId }) => signatureId)).toEqual(['d1', 'd1'])
  for (const request of requests.slice(1)) {
    const form = await request.form()
    const file = form.get('document') as File
    expect([form.get('sessionId'), file.name, await file.text()]).toEqual(['s1', 'contrato.pdf', '%PDF-1.7'])
  }
  expect(watched.errors).toEqual([])
})
