// Templates are judged when they are stored, drawn while they are designed, and documents are drawn anew by them.
import { templateGuide } from '@chancela/academic-documents/representations'
import { describe, expect, test } from 'vitest'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { concludedTranscript, schoolAt } from './test-support/issuing.ts'
import { pdfText } from './test-support/pdf-text.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { sampleTemplate } from './test-support/samples.ts'

const { template } = templateGuide('transcript')

/** The template of the suite with another title. */
const titled = (title: string) =>
  JSON.parse(JSON.stringify(template).replaceAll('Histórico Escolar', title).replaceAll('HISTÓRICO ESCOLAR', title))

const changed = (change: (content: never) => void) => {
  const content = structuredClone(templateGuide('degree').template) as never
  change(content)
  return content
}

const wrong: readonly (readonly [string, object, field: string])[] = [
  ['of another kind', template, 'content.kind'],
  ['of no kind', {}, 'content.kind'],
  [
    'with a field that nobody knows',
    changed((content: { extra?: number }) => {
      content.extra = 1
    }),
    'content.extra',
  ],
  [
    'with a block of an unknown kind',
    changed((content: { front: { kind: string }[] }) => {
      content.front[0]!.kind = 'x'
    }),
    'content.front[0].kind',
  ],
  [
    'with an unknown tag',
    JSON.parse(JSON.stringify(sampleTemplate().content).replace('{{diplomado.', '{{dipl.')),
    'content',
  ],
]

for (const database of databases) {
  describe(`templates on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const once = testOnce(database)

    once('a template by which nothing can be drawn is refused at the place that is wrong', async () => {
      const { json } = await organizationAt(open())
      const good = await json('POST', '/api/templates', sampleTemplate())
      expect(good.status).toBe(201)
      for (const [what, content, field] of wrong) {
        const body = { ...sampleTemplate(), content }
        const { kind } = body
        for (const [method, path, sent] of [
          ['POST', '/api/templates', body],
          ['PUT', `/api/templates/${good.body.id}`, body],
          ['POST', '/api/templates/preview', { kind, content }],
        ] as const) {
          const answer = await json(method, path, sent)
          expect([what, method, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
            what,
            method,
            422,
            [field],
          ])
        }
      }
      const { content } = (await json('GET', `/api/templates/${good.body.id}`)).body
      expect(content).toEqual(sampleTemplate().content)
    })

    once('the guide of each kind has a template that is accepted as it stands', async () => {
      const { json } = await organizationAt(open())
      for (const kind of ['RVDD', 'RVHE', 'RVCE']) {
        const { body: guide } = await json('GET', `/api/template-guides/${kind}`)
        expect(guide.tags.length).toBeGreaterThan(5)
        expect((await json('POST', '/api/templates', { name: kind, kind, content: guide.template })).status).toBe(201)
      }
      expect((await json('GET', '/api/template-guides/x')).status).toBe(400)
    })

    test('a draft is drawn with data that nobody has, or with those of a document; nothing is stored', async () => {
      const school = await concludedTranscript(await schoolAt(open()))
      const preview = async (body: object) => {
        const answer = await school.call('POST', '/api/templates/preview', {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
        return pdfText(Buffer.from(await answer.arrayBuffer()))
      }
      const draft = { kind: 'RVHE', content: titled('Boletim') }
      expect(await preview(draft)).not.toContain(school.code)
      const itemId = school.path.split('/').at(-1)!
      const shown = await preview({ ...draft, itemId })
      // The mark goes across the page: its letters fall apart.
      for (const part of [school.code, 'História da Educação', 'É-']) expect(shown).toContain(part)
      const files = await open().store.db.selectFrom('item_file').select('name').where('item_id', '=', itemId).execute()
      expect(files.map(({ name }) => name)).toEqual(['xml'])
      const other = await organizationAt(open())
      const foreign = await other.json('POST', '/api/templates/preview', { ...draft, itemId })
      expect([foreign.status, foreign.body.code]).toEqual([404, 'academic-transcript-not-found'])
      const { content } = sampleTemplate()
      const ofOther = await school.json('POST', '/api/templates/preview', { kind: 'RVDD', content, itemId })
      expect(ofOther.body.code).toBe('degree-not-found')
    })

    test('a representation is drawn anew by the template of today; the versions before stay', async () => {
      const school = await concludedTranscript(await schoolAt(open()))
      const first = await school.file(school.path, 'rvhe')
      const renew = () => school.json('POST', `${school.path}/representation`)
      expect((await renew()).body).toMatchObject({ name: 'rvhe', version: 1 })
      const body = { name: 'Novo', kind: 'RVHE', content: titled('Boletim Final'), instituteId: school.instituteId }
      expect((await school.json('POST', '/api/templates', body)).status).toBe(201)
      expect((await school.file(school.path, 'rvhe')).equals(first)).toBe(true)
      const renewed = await Promise.all([renew(), renew()])
      for (const { status, body: file } of renewed) expect([status, file.version]).toEqual([200, 2])
      const second = await pdfText(await school.file(school.path, 'rvhe'))
      expect(second).toMatch(/Boletim Final/i)
      const versions = await open()
        .store.db.selectFrom('item_file')
        .select(['version', 'digest'])
        .where('item_id', '=', school.path.split('/').at(-1)!)
        .where('name', '=', 'rvhe')
        .execute()
      expect(new Set(versions.map(({ digest }) => digest)).size).toBe(2)
      await school.json('POST', `${school.path}/cancellation`, { temporary: true, reason: 'x' })
      expect((await renew()).body.code).toBe('invalid-transition')
    })
  })
}
