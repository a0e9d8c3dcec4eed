#if os(Linux)
  import Dispatch

  /// Runs the jobs of a task on the main queue. A continuation resumes its task on the task's executor
  /// before that goes back to the main actor: on the default one this starts three threads of a pool.
  package final class MainQueueExecutor: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
#endif
