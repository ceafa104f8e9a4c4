import { services as productServices } from '@chancela/cli'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import type { CloudProvider } from '@chancela/testkit/cloud-provider'
import { cloudService } from './cloud/cloud-service.ts'
import { homeService } from './home/home-service.ts'
import { SuiteBoard } from './home/suite-board.ts'
import { type IssuedFiles, type OpenedPki, pkiService } from './pki/pki-service.ts'

export interface DemoServices {
  /** In the order they start: the PKI first, because others ask it; the home page last, because it asks all. */
  readonly definitions: readonly ServiceDefinition[]
  readonly board: SuiteBoard
  /** Files that the PKI has written for people to use; undefined until it has started. */
  readonly issued: () => IssuedFiles | undefined
  /** The provider of cloud certificates; undefined until it has started. */
  readonly cloud: () => CloudProvider | undefined
}

/** Everything the demo can start: the product's services and its own three. */
export function demoServices(startedAt: Date): DemoServices {
  let opened: OpenedPki | undefined
  let provider: CloudProvider | undefined
  const pki = pkiService((one) => {
    opened = one
  })
  const cloud = cloudService({
    pki: () => opened?.pki,
    onOpened: (one) => {
      provider = one
    },
  })
  const definitions: ServiceDefinition[] = [pki, cloud, ...productServices]
  const board = new SuiteBoard(definitions, startedAt)
  definitions.push(homeService(board))
  return { definitions, board, issued: () => opened?.files, cloud: () => provider }
}
