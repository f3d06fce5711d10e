module gate

go 1.19
