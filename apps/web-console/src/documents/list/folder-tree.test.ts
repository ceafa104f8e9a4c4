import { expect, test } from 'vitest'
import { folderChoices, folderTree, pathTo } from './folder-tree.ts'

const folder = (id: string, parentId: string | null, name = id) => ({
  id,
  name,
  parentId,
  creationDate: '',
  updateDate: '',
  documents: 0,
  folders: 0,
})

const folders = [
  folder('b', null, 'Órgãos'),
  folder('a', null, 'Contratos'),
  folder('a2', 'a', 'Vendas'),
  folder('x', 'gone'),
]

test('folders stand by name below their parents, and one without its parent at the top', () => {
  const tree = folderTree(folders, 'pt-BR')
  expect(tree.map(({ folder: { name } }) => name)).toEqual(['Contratos', 'Órgãos', 'x'])
  expect(tree[0]!.children.map(({ folder: { id } }) => id)).toEqual(['a2'])
})

test('choices name the way to each folder, without one that is left out and what lies below it', () => {
  const tree = folderTree(folders, 'pt-BR')
  expect(folderChoices(tree).map(({ label }) => label)).toEqual(['Contratos', 'Contratos / Vendas', 'Órgãos', 'x'])
  expect(folderChoices(tree, 'a').map(({ value }) => value)).toEqual(['b', 'x'])
})

test('the way to a folder begins at the top', () => {
  expect(pathTo(folders, 'a2').map(({ id }) => id)).toEqual(['a', 'a2'])
  expect(pathTo(folders, 'unknown')).toEqual([])
})
