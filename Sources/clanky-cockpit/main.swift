import CockpitCLI

CockpitProgram.main()
