// Stands in for the engine's module of the same name: in a package the programs of threads are no files.
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readAsset } from './assets.ts'

export const startThread = (name: string): Worker =>
  new Worker(readAsset(`${basename(name)}.cjs`).toString('utf8'), { eval: true, execArgv: [] })
