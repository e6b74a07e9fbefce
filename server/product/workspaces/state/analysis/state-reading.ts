import { ModuleList, maxModuleSteps } from './format-3.ts'
import { ResourceList } from './format-4.ts'
import { listedInstances } from './instance-keys.ts'
import { type Fate, leftOut, type PathStep, type Reading } from './json/json-reading.ts'
import { listedResources } from './resource-count.ts'
import { encryptedMember, plainMembers, resourceMembers } from './state-fields.ts'
import { OutputReading } from './state-outputs.ts'

/** Where in a state a part is; numbers, because they are compared for every part. */
const [elsewhere, inResources, inOutputs, inModules] = [0, 1, 2, 3]
const [inPath, inModuleOutputs, inModuleResources, inInstances] = [4, 5, 6, 7]

const plain: ReadonlySet<unknown> = new Set(plainMembers)
const ofResources: ReadonlySet<unknown> = new Set(resourceMembers)

/**
 * How a state is read for its outline; a new one for each state, since it remembers what it has seen. Only members that
 * are known to be of use are kept. Resources and modules are counted one by one and then left out, since large states
 * have very many; and so are the attributes of resources, which are secret, too.
 */
export class StateReading implements Reading {
  /** What was counted. */
  readonly resources = new ResourceList()
  readonly modules = new ModuleList()
  readonly #outputs = new OutputReading(2)
  readonly #moduleOutputs = new OutputReading(4)
  /** The member of the state, and that of the resource or module, that is being read. */
  #section = elsewhere
  #part = elsewhere
  /** The instances of the resource that is being read, and those of all resources that may have a key. */
  #instances = 0
  #opened = 0
  /** The resource of a module that is being read. */
  #address: string | undefined
  #resource: unknown

  prune(path: readonly PathStep[], kept: number, begins: (key: string) => boolean): Fate {
    if (path.length === 1) return this.#beginSection(path[0], kept)
    if (this.#section === inResources) return this.#fateInResources(path, begins)
    if (this.#section === inOutputs) return this.#outputs.fateOf(path, kept)
    return this.#section === inModules ? this.#fateInModules(path, kept) : 'drop'
  }

  reduce(path: readonly PathStep[], value: unknown): unknown {
    if (this.#section === inOutputs) return this.#outputs.reduced(path, value)
    if (this.#section === inModules) return this.#reducedOfModule(path, value)
    if (path.length !== 2 || this.#section !== inResources) return value
    this.resources.add(value, this.#instances)
    return leftOut
  }

  allowsText(path: readonly PathStep[], length: number, kept: number): boolean {
    if (this.#section === inOutputs) return this.#outputs.hasRoomFor(path, length, kept)
    const isModuleOutput = this.#section === inModules && this.#part === inModuleOutputs
    return isModuleOutput && this.#moduleOutputs.hasRoomFor(path, length, kept)
  }

  #beginSection(member: PathStep | undefined, kept: number): Fate {
    this.#section = elsewhere
    switch (member) {
      case 'resources':
        this.#section = inResources
        this.resources.clear()
        return 'keep'
      case 'outputs':
        this.#section = inOutputs
        this.#outputs.begin(kept)
        return 'keep'
      case 'modules':
        this.#section = inModules
        this.modules.clear()
        return 'keep'
      case encryptedMember:
        return 'blank'
      default:
        return plain.has(member) ? 'keep' : 'drop'
    }
  }

  #fateInResources(path: readonly PathStep[], begins: (key: string) => boolean): Fate {
    switch (path.length) {
      case 2:
        if (typeof path[1] !== 'number') return 'drop'
        this.#instances = 0
        this.resources.begin()
        return 'enter'
      case 3:
        return this.#beginMember(path)
      case 4:
        return this.#part === inInstances ? this.#fateOfInstance(path, begins) : 'drop'
      case 5:
        return path[4] === 'index_key' ? 'keep' : 'drop'
      default:
        return 'drop'
    }
  }

  #beginMember(path: readonly PathStep[]): Fate {
    const member = path[2]
    if (member === 'instances') {
      this.#part = inInstances
      this.#instances = 0
      return 'keep'
    }
    this.#part = elsewhere
    // Resources that are only counted need no name.
    if ((path[1] as number) >= listedResources && member === 'name') return 'drop'
    return ofResources.has(member) ? 'keep' : 'drop'
  }

  /**
   * Instances that will not be listed are only counted, and so are those without a key: it would come before
   * `schema_version`.
   */
  #fateOfInstance(path: readonly PathStep[], begins: (key: string) => boolean): Fate {
    if (typeof path[3] !== 'number') return 'drop'
    if (++this.#instances > listedInstances || (path[1] as number) >= listedResources) return 'drop'
    return begins('schema_version') || ++this.#opened > listedInstances ? 'blank' : 'keep'
  }

  #fateInModules(path: readonly PathStep[], kept: number): Fate {
    if (path.length === 2) {
      if (typeof path[1] !== 'number') return 'drop'
      this.modules.clearModule()
      return 'enter'
    }
    if (path.length === 3) return this.#beginModuleMember(path[2], kept)
    if (this.#part === inModuleOutputs) return this.#moduleOutputs.fateOf(path, kept)
    const step = path[3]
    if (this.#part === inPath) return path.length === 4 && (step as number) < maxModuleSteps ? 'keep' : 'drop'
    if (this.#part !== inModuleResources || typeof step !== 'string') return 'drop'
    if (path.length > 4) return path.length === 5 && (path[4] === 'type' || path[4] === 'provider') ? 'keep' : 'drop'
    this.#endResource()
    this.#address = step
    return 'enter'
  }

  #beginModuleMember(member: PathStep | undefined, kept: number): Fate {
    this.#part = elsewhere
    if (member === 'path') this.#part = inPath
    if (member === 'outputs') {
      this.#part = inModuleOutputs
      this.#moduleOutputs.begin(kept)
    }
    if (member === 'resources') {
      this.#part = inModuleResources
      this.modules.clearModule()
    }
    return this.#part === elsewhere ? 'drop' : 'keep'
  }

  #reducedOfModule(path: readonly PathStep[], value: unknown): unknown {
    if (path.length === 2) {
      this.modules.endModule(value)
      return leftOut
    }
    if (path.length === 3 && this.#part === inModuleResources) this.#endResource()
    if (path.length > 3 && this.#part === inModuleOutputs) return this.#moduleOutputs.reduced(path, value)
    if (path.length !== 4 || this.#part !== inModuleResources) return value
    this.#resource = value
    return leftOut
  }

  /** Counts a resource of a module. That is done late, because even one that is not an object counts. */
  #endResource(): void {
    if (this.#address !== undefined) this.modules.add(this.#address, this.#resource)
    this.#address = undefined
    this.#resource = undefined
  }
}
