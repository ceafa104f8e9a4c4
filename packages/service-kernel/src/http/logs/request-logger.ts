import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from './logger.ts'

type Line = [fields: object | string, message?: string]

/**
 * A logger that adds a request's correlation id to each line. Its child logger is created by the first line: most
 * requests write none, and creating a child costs more than routing.
 */
class RequestLogger {
  readonly #parent: Logger
  readonly #correlationId: string
  #child: Logger | undefined

  constructor(parent: Logger, correlationId: string) {
    this.#parent = parent
    this.#correlationId = correlationId
  }

  get level(): string {
    return this.#parent.level
  }

  fatal(...[fields, message]: Line): void {
    this.#logger().fatal(fields, message)
  }
  error(...[fields, message]: Line): void {
    this.#logger().error(fields, message)
  }
  warn(...[fields, message]: Line): void {
    this.#logger().warn(fields, message)
  }
  info(...[fields, message]: Line): void {
    this.#logger().info(fields, message)
  }
  debug(...[fields, message]: Line): void {
    this.#logger().debug(fields, message)
  }
  trace(...[fields, message]: Line): void {
    this.#logger().trace(fields, message)
  }
  silent(): void {}

  child(bindings: object, options?: object): unknown {
    return this.#logger().child(bindings, options)
  }

  #logger(): Logger {
    this.#child ??= this.#parent.child({ correlationId: this.#correlationId })
    return this.#child
  }
}

export const requestLogger = (parent: Logger, correlationId: string): FastifyBaseLogger =>
  new RequestLogger(parent, correlationId) as unknown as FastifyBaseLogger
