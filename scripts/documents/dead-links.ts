import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'data', '.git'])

/** Dead links of Markdown files to files of the project. Links to other sites are not checked. */
export function deadLinks(root: string): { file: string; link: string }[] {
  return markdownFiles(root).flatMap((file) =>
    linksIn(readFileSync(file, 'utf8'))
      .filter((link) => !existsSync(join(dirname(file), decodeURIComponent(link))))
      .map((link) => ({ file: relative(root, file), link })),
  )
}

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : markdownFiles(join(folder, entry.name))
    return entry.name.endsWith('.md') ? [join(folder, entry.name)] : []
  })
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!.split('#')[0]!)
    .filter((target) => target !== '' && !/^[a-z]+:/i.test(target))
