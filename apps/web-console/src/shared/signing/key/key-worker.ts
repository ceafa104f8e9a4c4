// Holds the opened key in a thread of its own: deriving it takes a moment, and the page must not freeze.

import type { KeyAnswer, KeyRequest } from './key-messages.ts'
import { KeyProblem } from './key-problem.ts'
import { type OpenedKey, openKey } from './open-key.ts'

let opened: OpenedKey | undefined

async function answer(request: KeyRequest): Promise<KeyAnswer> {
  try {
    switch (request.kind) {
      case 'open':
        opened = await openKey(request.file, request.password)
        return { kind: 'opened', certificate: opened.certificate }
      case 'sign':
        return { kind: 'signed', signature: opened!.sign(request.digest, request.algorithm) }
    }
  } catch (error) {
    if (error instanceof KeyProblem) return { kind: 'failed', fault: error.fault }
    throw error
  }
}

addEventListener('message', ({ data }: MessageEvent<KeyRequest>) => void answer(data).then((said) => postMessage(said)))
