import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../shared/parts/confirm-dialog.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { deleteItem } from '../api/lists.ts'
import type { ListPath } from './back-link.tsx'

export interface DeleteButtonProps {
  resource: string
  id: string
  title: string
  text: string
  done: string
  /** Where the list is. */
  back: ListPath
}

/** Deletes the item of a page, after asking, and returns to the list. */
export function DeleteButton({ resource, id, title, text, done, back }: DeleteButtonProps) {
  const { t } = useTranslation('credentials')
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { attempt } = useAction(
    async () => {
      await deleteItem(resource, id)
      // Before the queries are read again: the page of what is gone would show an error.
      await navigate({ to: back })
    },
    () => done,
  )
  return (
    <>
      <Button variant="default" leftSection={<Trash2 size={16} aria-hidden="true" />} onClick={() => setAsks(true)}>
        {t('remove')}
      </Button>
      {asks && (
        <ConfirmDialog
          title={title}
          confirm={t('remove')}
          danger
          onConfirm={() => attempt(undefined)}
          onClose={() => setAsks(false)}
        >
          {text}
        </ConfirmDialog>
      )}
    </>
  )
}
