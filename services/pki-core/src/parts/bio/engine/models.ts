// The models that ship inside an npm package, run by TensorFlow.js on WebAssembly: no native code, no download.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type GraphModel, loadGraphModel } from '@tensorflow/tfjs-converter'
import * as tf from '@tensorflow/tfjs-core'
import '@tensorflow/tfjs-backend-wasm'

const names = {
  detector: 'blazeface',
  mesh: 'facemesh',
  descriptor: 'faceres',
  antispoof: 'antispoof',
  liveness: 'liveness',
} as const

export type ModelName = keyof typeof names

/** Runs a model over one square of RGB values; its outputs by their length. */
export type Run = (values: Float32Array, size: number) => Promise<readonly Float32Array[]>

export async function openModels(): Promise<Readonly<Record<ModelName, Run>>> {
  await keepingListeners(async () => {
    await tf.setBackend('wasm')
    await tf.ready()
  })
  const folder = modelFolder()
  const opened = Object.entries(names).map(async ([name, file]) => [name, runOf(await load(folder, file))] as const)
  return Object.fromEntries(await Promise.all(opened)) as Record<ModelName, Run>
}

const uncaught = ['uncaughtException', 'unhandledRejection'] as const

/** The backend listens for what nobody caught, of whatever part of the process, and throws it once more. It must not. */
async function keepingListeners(open: () => Promise<void>): Promise<void> {
  const before = uncaught.map((event) => process.listeners(event as 'uncaughtException'))
  await open()
  for (const [index, event] of uncaught.entries())
    for (const listener of process.listeners(event as 'uncaughtException'))
      if (!before[index]!.includes(listener)) process.removeListener(event, listener)
}

// The package exports no path to its models: they lie beside what it does export.
const modelFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@vladmandic/human')), '..', 'models')

async function load(folder: string, file: string): Promise<GraphModel> {
  const described = JSON.parse(await readFile(join(folder, `${file}.json`), 'utf8'))
  const weights = new Uint8Array(await readFile(join(folder, `${file}.bin`)))
  return loadGraphModel({
    load: async () => ({
      modelTopology: described.modelTopology,
      weightSpecs: described.weightsManifest[0].weights,
      weightData: weights.buffer,
      format: described.format,
      signature: described.signature,
    }),
  })
}

const runOf =
  (model: GraphModel): Run =>
  async (values, size) => {
    const input = tf.tensor4d(values, [1, size, size, 3])
    const answered = model.execute(input)
    const outputs = Array.isArray(answered) ? answered : [answered]
    const all = await Promise.all(outputs.map((output) => output.data() as Promise<Float32Array>))
    tf.dispose([input, ...outputs])
    return all.map((one) => one.slice())
  }
