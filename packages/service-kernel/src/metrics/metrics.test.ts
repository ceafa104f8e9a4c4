import { register } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { createMetrics, defineMetrics, describeMetrics, httpMetrics, type MetricTable } from './index.ts'

const table = {
  bulk_jobs_completed_total: { type: 'counter', help: 'Jobs reaching Completed.' },
  bulk_jobs_enqueued_total: { type: 'counter', help: 'Enqueues.', labels: { folder: 'any' } },
  bulk_approver_signatures_total: {
    type: 'counter',
    help: 'Approver signature attempts.',
    labels: { outcome: ['signed', 'conflict'], means: ['browser', 'cloud'] },
  },
  bulk_pipeline_paused: { type: 'gauge', help: '1 paused, 0 running.' },
  bulk_jobs_awaiting_signer: { type: 'gauge', help: 'AwaitingSigner rows.' },
  bulk_signing_duration_seconds: {
    type: 'histogram',
    help: 'Sign, verify and promote duration, in seconds.',
    labels: { format: ['Pades', 'Cades', 'Xades'] },
    buckets: [0.1, 1],
  },
} as const satisfies MetricTable

function serviceMetrics() {
  const metrics = createMetrics({ service: 'batch-signer', version: '2.16.0', prefix: 'bulk_' })
  return { ...metrics, bulk: defineMetrics(metrics.registry, table) }
}

/** The samples of the exposition, by series. */
async function samples(metrics: { text(): Promise<string> }): Promise<Record<string, string>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )
}

describe('the metrics of a service', () => {
  test('are Prometheus text with the metrics of the process and of the build', async () => {
    const metrics = serviceMetrics()
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await samples(metrics)).toMatchObject({
      'bulk_build_info{service="batch-signer",version="2.16.0"}': '1',
      bulk_process_resident_memory_bytes: expect.stringMatching(/^\d+$/),
    })
  })

  test('all carry the prefix the service asks for', async () => {
    const metrics = serviceMetrics()
    httpMetrics(metrics).observe('/api/jobs', 'GET', 200, 0.02)
    expect(Object.keys(await samples(metrics)).filter((series) => !series.startsWith('bulk_'))).toStrictEqual([])
  })

  test('do not mix with those of another service, nor enter the global registry', async () => {
    const [one, other] = [serviceMetrics(), serviceMetrics()]
    one.bulk.bulk_jobs_completed_total.inc()
    expect((await samples(other)).bulk_jobs_completed_total).toBe('0')
    expect(register.getMetricsAsArray()).toStrictEqual([])
  })

  test('count, measure and observe under exactly the declared names and labels', async () => {
    const { bulk, ...metrics } = serviceMetrics()
    bulk.bulk_jobs_completed_total.inc()
    bulk.bulk_jobs_completed_total.inc(2)
    bulk.bulk_jobs_enqueued_total.inc({ folder: '(upload)' })
    bulk.bulk_approver_signatures_total.inc({ outcome: 'signed', means: 'cloud' }, 3)
    bulk.bulk_pipeline_paused.set(1)
    bulk.bulk_jobs_awaiting_signer.inc(5)
    bulk.bulk_jobs_awaiting_signer.dec()
    bulk.bulk_signing_duration_seconds.observe({ format: 'Pades' }, 0.5)
    expect(await samples(metrics)).toMatchObject({
      bulk_jobs_completed_total: '3',
      'bulk_jobs_enqueued_total{folder="(upload)"}': '1',
      'bulk_approver_signatures_total{outcome="signed",means="cloud"}': '3',
      bulk_pipeline_paused: '1',
      bulk_jobs_awaiting_signer: '4',
      'bulk_signing_duration_seconds_bucket{le="0.1",format="Pades"}': '0',
      'bulk_signing_duration_seconds_bucket{le="1",format="Pades"}': '1',
      'bulk_signing_duration_seconds_sum{format="Pades"}': '0.5',
    })
  })

  test('show every series whose labels are listed before anything happened, and none that are open', async () => {
    const series = await samples(serviceMetrics())
    expect(series).toMatchObject({
      'bulk_approver_signatures_total{outcome="conflict",means="browser"}': '0',
      'bulk_signing_duration_seconds_count{format="Xades"}': '0',
      bulk_jobs_completed_total: '0',
    })
    expect(Object.keys(series).filter((name) => name.startsWith('bulk_jobs_enqueued_total'))).toStrictEqual([])
  })

  test('are read at the scrape where so declared; one that cannot be read does not hide the others', async () => {
    const { bulk, ...metrics } = serviceMetrics()
    let waiting = 7
    bulk.bulk_jobs_awaiting_signer.measure(async () => waiting)
    expect((await samples(metrics)).bulk_jobs_awaiting_signer).toBe('7')
    waiting = 8
    bulk.bulk_pipeline_paused.measure(() => Promise.reject(new Error('database gone')))
    expect(await samples(metrics)).toMatchObject({ bulk_jobs_awaiting_signer: '8', bulk_pipeline_paused: 'Nan' })
  })

  test('do not compile with a wrong name, label or value', () => {
    const { bulk } = serviceMetrics()
    const wrong = () => {
      // @ts-expect-error no such metric
      bulk.bulk_jobs_lost_total.inc()
      // @ts-expect-error the label is missing
      bulk.bulk_jobs_enqueued_total.inc()
      // @ts-expect-error another label
      bulk.bulk_jobs_enqueued_total.inc({ profile: 'a' })
      // @ts-expect-error a value that is not listed
      bulk.bulk_approver_signatures_total.inc({ outcome: 'lost', means: 'cloud' })
      // @ts-expect-error a metric without labels
      bulk.bulk_jobs_completed_total.inc({ folder: 'a' })
      // @ts-expect-error a counter is not set
      bulk.bulk_jobs_completed_total.set(1)
    }
    expect(wrong).toThrow()
  })
})

describe('the metrics of HTTP', () => {
  test('are one histogram by route template, method and status, shared by the surfaces of a service', async () => {
    const metrics = createMetrics({ service: 'pki-core', version: '1.0.0' })
    httpMetrics(metrics).observe('/api/jobs/{id}', 'GET', 200, 0.004)
    httpMetrics(metrics).observe('/api/jobs/{id}', 'GET', 404, 0.2)
    const labels = 'route="/api/jobs/{id}",method="GET"'
    expect(await samples(metrics)).toMatchObject({
      [`http_request_duration_seconds_bucket{le="0.005",${labels},status="200"}`]: '1',
      [`http_request_duration_seconds_count{${labels},status="404"}`]: '1',
    })
  })
})

test('the reference of a table has one row per metric', () => {
  expect(describeMetrics(table).split('\n')).toStrictEqual([
    '| Metric | Type | Labels | Tracks |',
    '|---|---|---|---|',
    '| `bulk_jobs_completed_total` | counter |  | Jobs reaching Completed. |',
    '| `bulk_jobs_enqueued_total` | counter | folder | Enqueues. |',
    '| `bulk_approver_signatures_total` | counter | outcome (signed, conflict); means (browser, cloud) | Approver signature attempts. |',
    '| `bulk_pipeline_paused` | gauge |  | 1 paused, 0 running. |',
    '| `bulk_jobs_awaiting_signer` | gauge |  | AwaitingSigner rows. |',
    '| `bulk_signing_duration_seconds` | histogram | format (Pades, Cades, Xades) | Sign, verify and promote duration, in seconds. |',
    '',
  ])
})
