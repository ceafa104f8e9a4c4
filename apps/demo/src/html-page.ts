import { htmlDocument } from '@chancela/service-kernel/http'

const HEAD = `<link rel="icon" type="image/svg+xml" href="/seal.svg">
<link rel="stylesheet" href="/mail/style.css">`

/** A page of the home service that is rendered here, without the bundle. */
export const htmlPage = ({ head = '', ...page }: Parameters<typeof htmlDocument>[0]): string =>
  htmlDocument({ ...page, head: `${HEAD}\n${head}` })
