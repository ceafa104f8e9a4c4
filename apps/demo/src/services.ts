import { services as productServices } from '@chancela/cli'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { homeService } from './home/home-service.ts'
import { SuiteBoard } from './home/suite-board.ts'
import { type IssuedFiles, pkiService } from './pki/pki-service.ts'

export interface DemoServices {
  /** In the order they start: the PKI first, because others ask it; the home page last, because it asks all. */
  readonly definitions: readonly ServiceDefinition[]
  readonly board: SuiteBoard
  /** What the PKI has written for people to use; nothing until it has started. */
  readonly issued: () => IssuedFiles | undefined
}

/** Everything the demo can start: the product's services and its own two. */
export function demoServices(startedAt: Date): DemoServices {
  let issued: IssuedFiles | undefined
  const pki = pkiService((files) => {
    issued = files
  })
  const definitions: ServiceDefinition[] = [pki, ...productServices]
  const board = new SuiteBoard(definitions, startedAt)
  definitions.push(homeService(board))
  return { definitions, board, issued: () => issued }
}
