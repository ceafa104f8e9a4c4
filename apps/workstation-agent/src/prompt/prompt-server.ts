// The prompt page's HTTP server: on 127.0.0.1 only, on a random port, and only while there is a prompt, and a while longer: whoever
// comes back to a page that is over reads why, instead of the browser's own page about a refused connection.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { formOf, hostOf, languageOf, listenHere, newSecret } from './local-server.ts'
import { overPage, pageHeaders } from './page-frame.ts'
import type { PromptView, Taken } from './prompt-view.ts'
import type { PromptLanguage } from './texts.ts'

interface Page {
  readonly view: PromptView
  /** Part of the page's path. Only the browser that used the ticket knows it. */
  readonly secret: string
}

export class PromptServer {
  readonly #pages = new Map<string, Page>()
  /** Valid for one request: other programs that see the address on its way to the browser cannot use it afterwards. */
  readonly #tickets = new Map<string, Page>()
  readonly #lingerMilliseconds: number
  #listening: Promise<Server> | undefined

  constructor(lingerMilliseconds: number) {
    this.#lingerMilliseconds = lingerMilliseconds
  }

  /** The address to open in the browser; valid until the prompt is answered. */
  async show(view: PromptView): Promise<string> {
    this.#listening ??= listenHere((server, request, response) => this.#answer(server, request, response))
    const server = await this.#listening
    const [page, ticket] = [{ view, secret: newSecret() }, newSecret()]
    this.#pages.set(page.secret, page)
    this.#tickets.set(ticket, page)
    view.signal.addEventListener('abort', () => this.#end(page, ticket), { once: true })
    return `http://${hostOf(server)}/${ticket}`
  }

  /** At once, whatever is still shown. */
  close(): void {
    const listening = this.#listening
    this.#listening = undefined
    this.#pages.clear()
    this.#tickets.clear()
    void listening?.then((server) => server.close())
  }

  /** The page says for a while that it is over. Nobody has to wait for that with the end of the program. */
  #end(page: Page, ticket: string): void {
    setTimeout(() => {
      this.#pages.delete(page.secret)
      this.#tickets.delete(ticket)
      if (this.#pages.size === 0) this.close()
    }, this.#lingerMilliseconds).unref()
  }

  async #answer(server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const language = languageOf(request)
    // Against DNS rebinding: only the address itself is accepted, no name that resolves to it.
    if (request.headers.host !== hostOf(server)) return send(response, 421, overPage(undefined, language))
    const path = request.url?.slice(1) ?? ''
    const visited = request.method === 'GET' ? this.#tickets.get(path) : undefined
    if (visited) {
      this.#tickets.delete(path)
      response.writeHead(303, { ...pageHeaders, location: `/${visited.secret}` }).end()
      return
    }
    const page = this.#pages.get(path)
    if (!page) return send(response, 404, overPage(undefined, language))
    const { signal } = page.view
    if (signal.aborted) return send(response, 410, overPage(signal, language))
    if (request.method === 'GET') return send(response, 200, await page.view.page(language))
    if (request.method === 'POST') return answer(response, await take(page.view, request, language))
    return send(response, 405, overPage(undefined, language))
  }
}

const take = async (view: PromptView, request: IncomingMessage, language: PromptLanguage): Promise<Taken> =>
  view.take(await formOf(request), language)

function answer(response: ServerResponse, taken: Taken): void {
  if (typeof taken === 'string') send(response, 200, taken)
  else response.writeHead(303, { ...pageHeaders, location: taken.location }).end()
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, pageHeaders).end(html)
}
