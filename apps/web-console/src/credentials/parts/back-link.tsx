import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import classes from './parts.module.css'

/** Pages with a list. */
export type ListPath =
  | '/batches'
  | '/institutes'
  | '/courses'
  | '/flows'
  | '/templates'
  | '/degrees'
  | '/emissions'
  | '/registrations'
  | '/academic-transcripts'
  | '/curriculums'

/** The way back to a list, above the title of a page. */
export function BackLink({ to, children }: { to: ListPath; children: string }) {
  return (
    <Link to={to} className={classes.back!}>
      <ArrowLeft size={16} aria-hidden="true" /> {children}
    </Link>
  )
}
