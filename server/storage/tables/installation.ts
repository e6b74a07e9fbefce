/**
 * The one row that tells this installation apart from every other. It is in no archive, so it stays what it is when the
 * data of another installation is restored here. All nodes of one database are one installation.
 */
export type InstallationRow = {
  id: string
  /** Written into every archive that is taken here. */
  uuid: string
  /** The cluster that was here when the row was made: archives of earlier versions name only that. */
  cluster_id: string
}

/** The table of the installation. */
export type InstallationTables = { installation: InstallationRow }
