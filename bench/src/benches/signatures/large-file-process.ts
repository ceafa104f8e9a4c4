// Processes a large file once in a fresh process, so that the memory measured is its own.
import { createPrivateKey } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCertificates } from '@chancela/signature-engine/x509'
import { sendToParent } from '../../harness/program-side.ts'
import { type LargeFileRun, largeFileWorks } from './large-file-works.ts'
import { peakMemoryMb } from './peak-memory.ts'

const [work = '', folder = '', now = ''] = process.argv.slice(2)
const file = (name: string) => join(folder, name)
const [certificate, ...chain] = readCertificates(readFileSync(file('chain.pem')))
const privateKey = createPrivateKey(readFileSync(file('key.pem')))
const [input, output] = [file('input'), file('output')]

const start = performance.now()
await largeFileWorks[work]!({
  input,
  output,
  size: statSync(input).size,
  certificate: certificate!,
  chain,
  privateKey,
  now: new Date(now),
})
const milliseconds = performance.now() - start
sendToParent({ milliseconds, peakMb: peakMemoryMb() } satisfies LargeFileRun)
