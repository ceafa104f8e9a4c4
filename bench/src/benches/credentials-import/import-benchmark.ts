import { setTimeout as delay } from 'node:timers/promises'
import { sampleAcademicDocumentation } from '@chancela/academic-documents/samples'
import type { Benchmark, Contestant } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import { peakMemoryOf } from '../batch/process-memory.ts'
import { type IssuingSchool, json, startSchool } from './issuing-school.ts'

const SINGLE = 'one request each, four at once'
const BATCH = 'one file of CSV'
const WHOLE_ROWS = 50_000
const SAMPLE_SECONDS = 240
const MINUTES = 'minutes for 50,000'
const PEAK = 'peak RSS MB'

/** A whole university's emissions of a year, from one file. */
export const importBenchmark = (scene: BenchScene): Benchmark => ({
  name: 'credentials-import',
  title: 'Credential platform: 50,000 emissions from a file',
  question: 'How long does a file of 50,000 rows take from its upload to the last emission, and in how much memory?',
  compares: { measure: 'rate', unit: 'emissions/s' },
  figures: [MINUTES, PEAK],
  reference: SINGLE,
  contestants: [single(scene), imported(scene)],
  targets: [
    { contestant: BATCH, measure: MINUTES, atMost: 5 },
    { contestant: BATCH, measure: PEAK, atMost: 400 },
  ],
  notes: [
    'a fresh process and an empty SQLite database in each turn; Node itself is in its memory; 1 MB is 10⁶ bytes',
    'the rows are those of the template the service itself offers: a whole transcript and two attachments each',
    `a turn shorter than ${SAMPLE_SECONDS} s takes proportionally fewer rows; the requests take a tenth of them`,
  ],
  sampleSeconds: SAMPLE_SECONDS,
  warmUpMs: 0,
})

const rowsFor = (forMs: number, most: number): number =>
  Math.max(20, Math.ceil(most * Math.min(1, forMs / (SAMPLE_SECONDS * 1000))))

type Work = (school: IssuingSchool, rows: number) => Promise<void>

const contestant = (scene: BenchScene, name: string, most: number, work: Work): Contestant => ({
  name,
  cores: 2,
  setUp: async () => ({
    run: async (forMs) => {
      const rows = rowsFor(forMs, most)
      const school = await startSchool(scene.folder)
      try {
        const begun = performance.now()
        await work(school, rows)
        const wallMs = performance.now() - begun
        const figures = { [MINUTES]: ((wallMs / rows) * WHOLE_ROWS) / 60_000, [PEAK]: peakMemoryOf(school.pid) }
        return { operations: rows, wallMs, figures }
      } finally {
        await school.remove()
      }
    },
    tearDown: async () => {},
  }),
})

const NAME = /(^|;)Maria da Conceição Araújo Lima(?=;)/

/** The file of the template, with a student of another name in each row. */
async function* classFile({ ask }: IssuingSchool, rows: number) {
  const text = await (await ask('GET', '/api/emissions/batches/csv-template')).text()
  const [header, row] = text.trim().split('\r\n') as [string, string]
  yield Buffer.from(`${header}\r\n`)
  for (let number = 1; number <= rows; number++)
    yield Buffer.from(`${row.replace(NAME, `$1Aluno ${number} da Silva`)}\r\n`)
}

const imported = (scene: BenchScene): Contestant =>
  contestant(scene, BATCH, WHOLE_ROWS, async (school, rows) => {
    const { ask, instituteId } = school
    const file = ReadableStream.from(classFile(school, rows))
    const { id } = await json(ask('POST', `/api/emissions/batches?instituteId=${instituteId}`, file, 'text/csv'))
    for (;;) {
      const { finishDate, done } = await json(ask('GET', `/api/emissions/batches/${id}`))
      if (finishDate !== null && done !== rows) throw new Error(`Only ${done} of ${rows} rows became emissions.`)
      if (finishDate !== null) return
      await delay(100)
    }
  })

/** The same data, as a single creation takes them. */
function rowData(number: number): object {
  const { registroReq } = sampleAcademicDocumentation().documentacaoAcademicaRegistro as { registroReq: Sample }
  const { id: _, dadosDiploma, ...request } = registroReq
  const { id: __, iesEmissora: ___, assinantes: ____, diplomado, ...degree } = dadosDiploma
  const student = { ...(diplomado as object), nome: `Aluno ${number} da Silva` }
  return { registroReq: { ...request, dadosDiploma: { ...degree, diplomado: student } } }
}

interface Sample extends Readonly<Record<string, unknown>> {
  readonly dadosDiploma: Readonly<Record<string, unknown>>
}

const LANES = 4

const single = (scene: BenchScene): Contestant =>
  contestant(scene, SINGLE, WHOLE_ROWS / 10, async ({ ask, instituteId }, rows) => {
    let next = 1
    const lane = async () => {
      for (let number = next++; number <= rows; number = next++)
        await json(ask('POST', '/api/emissions', JSON.stringify({ instituteId, data: rowData(number) })))
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  })
