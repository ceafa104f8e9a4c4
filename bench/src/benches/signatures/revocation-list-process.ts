// Reads one revocation list in a fresh process, so that the memory measured is its own, and reports the cost.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCertificates } from '@chancela/signature-engine/x509'
import { sendToParent } from '../../harness/program-side.ts'
import { peakMemoryMb } from './peak-memory.ts'
import { type ListReading, listReaders } from './revocation-list-readers.ts'

const [reader = '', folder = '', now = ''] = process.argv.slice(2)
const file = (name: string) => readFileSync(join(folder, name))
const prepare = listReaders[reader]
if (!prepare) throw new Error(`There is no reader "${reader}".`)

const [certificate, ...chain] = readCertificates(file('chain.pem'))
const otherLists = ['level-1.crl', 'root.crl'].map(file)
const list = file('large.crl')
// Loading code is not part of the measurement.
const read = await prepare({ certificate: certificate!, chain, otherLists, now: new Date(now) })
globalThis.gc?.()

const rssBefore = process.memoryUsage.rss()
const start = performance.now()
const right = await read(list)
const milliseconds = performance.now() - start
const extraMb = peakMemoryMb() - rssBefore / 1e6
sendToParent({ right, milliseconds, extraMb } satisfies ListReading)
